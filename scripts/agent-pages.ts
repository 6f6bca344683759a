import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeMod } from '../packages/agents/src/in-process/claude-mod.ts';
import { type AgentProfile, agents, allAgents } from '../packages/agents/src/index.ts';
import { findHonour } from '../packages/hooks/src/host/index.ts';
import { names, reasons } from './bridges-table.ts';
import { type ProofCase, proofCases } from './prove-agents/cases.ts';

/** A page for each coding agent, from its file. */
export function agentPages(): { name: string; text: string }[] {
  return [...allAgents, claudeMod].map((agent) => {
    const parts = [
      head(agent),
      whatItDoes(agent),
      whatWasSeen(agent),
      whatToKnow(agent),
      namesOfTools(agent),
    ];
    return { name: `agents/${agent.name}.md`, text: `${parts.filter(Boolean).join('\n\n')}\n` };
  });
}

function head({ name, title, known, files, afterInstall }: AgentProfile): string {
  const how =
    known.how === 'observed' ? 'observed in the real program' : 'read in its documentation and its code';
  return `# ${title.replace(/^a /, '')}

What its hooks take and do was ${how}: version ${known.version}, ${known.date}. [Hooks in coding agents](../agents.md) says how to use them.

\`\`\`sh no-run
npx spec-hooks ${name === claudeMod.name ? 'bundle' : 'install'} ${name}
\`\`\`

${whereItIs(name, files)} ${afterInstall}`;
}

function whereItIs(name: string, { project, user }: AgentProfile['files']): string {
  if (name === claudeMod.name) return whatModIs;
  const own = agents.find((agent) => agent.name === name);
  if (own === undefined)
    return `It makes \`${project}\` in the project, or with \`--user\` \`~/${user}\`: a file that the agent loads into its own process. A program of your own can do the same: [\`@spec/agents/${name}\`](../../packages/agents/README.md).`;
  const events = listCode(Object.keys(own.events));
  return `Its entries go into \`${project}\` of the project, or with \`--user\` into \`~/${user}\`, for these events: ${events}.`;
}

const whatModIs = `It makes a folder, \`claude-mod\`: a plugin of Claude Code that holds the hooks and what they import, in one module, and a file that registers them for the events that concern them. Each registration has a catch of its own: when a guard throws or overruns, Claude Code denies what it was to judge.`;

function whatItDoes({ honours }: AgentProfile): string {
  const whole = names.filter((hook) => findHonour(honours, hook) === 'whole');
  return `## What it does with each hook\n\n${reasons(honours).join('\n')}\n\nWhole: ${listCode(whole)}.`;
}

interface Observed {
  readonly version: string;
  readonly date: string;
  readonly cases: Readonly<Record<string, string>>;
}

/** What `npm run prove-agents` has seen, by agent. */
function readObserved(): Readonly<Record<string, Observed>> {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../docs/agents/observed.json'), 'utf8'));
}

/** The versions in which hooks were seen, and in how many cases they did what is documented. */
export function observedTable(): string {
  const all = readObserved();
  const rows = allAgents.map(({ name, title }) => {
    const { [name]: seen } = all;
    const own = proofCases.filter(({ otherwise }) => otherwise?.[name] !== 'nothing');
    const of = (word: string): number => own.filter(({ id }) => seen?.cases[id] === word).length;
    const page = `[${title}](agents/${name}.md)`;
    if (seen === undefined) return `| ${page} | – | – | read, not observed |`;
    const missed = own.length - of('held') - of('refused');
    const counts = [
      `${of('held')} held`,
      of('refused') > 0 && `${of('refused')} refused`,
      missed > 0 && `${missed} not seen to hold`,
    ];
    return `| ${page} | ${seen.version} | ${seen.date} | ${counts.filter(Boolean).join(', ')} |`;
  });
  return `| agent | version | date | cases |\n|---|---|---|---|\n${rows.join('\n')}`;
}

function whatWasSeen({ name, known }: AgentProfile): string {
  const { [name]: seen } = readObserved();
  if (seen === undefined && known.how === 'observed')
    return '## Seen in the real program\n\nNothing yet by `npm run prove-agents`.';
  if (seen === undefined)
    return `## Seen in the real program\n\nNothing: the program is closed, and nobody has run these hooks in it for this page. What it does was read in its documentation.`;
  const rows = proofCases
    .filter(({ otherwise }) => otherwise?.[name] !== 'nothing')
    .map((one) => `| ${one.title} | ${describeSeen(one, name, seen.cases[one.id])} |`);
  return `## Seen in the real program

Version ${seen.version}, ${seen.date}, by \`npm run prove-agents\`: the agent runs without a person against a scripted model, whose command leaves a mark if it runs. *refused*: \`install\` refuses the hook, since the agent would not run it.

| case | seen |
|---|---|
${rows.join('\n')}`;
}

function describeSeen({ otherwise }: ProofCase, agent: string, seen = 'not tried'): string {
  const own = otherwise?.[agent];
  if (seen !== 'held' || typeof own !== 'object') return seen;
  if (own.agent !== undefined) return `the agent ${own.agent}, and nothing runs`;
  return own.command === 'does not run' ? 'held: the call is denied' : seen;
}

function whatToKnow({ limits }: AgentProfile): string {
  return `## What to know\n\n${limits.map((limit) => `- ${limit}`).join('\n')}`;
}

function namesOfTools({ tools }: AgentProfile): string {
  const rows = Object.entries(tools).map(([own, common]) => `| \`${own}\` | \`${common}\` |`);
  if (rows.length === 0) return '';
  return `## Names of tools\n\nHooks see the names of Claude Code:\n\n| its own | in hooks |\n|---|---|\n${rows.join('\n')}`;
}

function listCode(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}
