import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, agents } from '../packages/agents/src/index.ts';
import { findHonour } from '../packages/hooks/src/host/index.ts';
import { names, reasons } from './bridges-table.ts';
import { type ProofCase, proofCases } from './prove-agents/cases.ts';

/** A page for each coding agent, from its file. */
export function agentPages(): { name: string; text: string }[] {
  return agents.map((agent) => {
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

function head({ name, title, known, files, afterInstall, events }: Agent): string {
  const how =
    known.how === 'observed' ? 'observed in the real program' : 'read in its documentation and its code';
  return `# ${title}

What its hooks take and do was ${how}: version ${known.version}, ${known.date}. [Hooks in coding agents](../agents.md) says how to use them.

\`\`\`sh no-run
npx spec-hooks install ${name}
\`\`\`

Its entries go into \`${files.project}\` of the project, or with \`--user\` into \`~/${files.user}\`. ${afterInstall}

Events that reach hooks: ${listCode(Object.keys(events))}.`;
}

function whatItDoes({ honours }: Agent): string {
  const whole = names.filter((hook) => findHonour(honours, hook) === 'whole');
  return `## What it does with each hook\n\n${reasons(honours).join('\n')}\n\nWhole: ${listCode(whole)}.`;
}

interface Observed {
  readonly version: string;
  readonly date: string;
  readonly cases: Readonly<Record<string, string>>;
}

/** What `npm run prove-agents` has seen. */
function whatWasSeen({ name, title }: Agent): string {
  const file = join(import.meta.dirname, '../docs/agents/observed.json');
  const all: Readonly<Record<string, Observed>> = JSON.parse(readFileSync(file, 'utf8'));
  const { [name]: seen } = all;
  if (seen === undefined)
    return `## Seen in the real program\n\nNothing: ${title} is closed, and nobody has run these hooks in it for this page. What it does was read in its documentation.`;
  const rows = proofCases.map((one) => `| ${one.title} | ${describeSeen(one, name, seen.cases[one.id])} |`);
  return `## Seen in the real program

Version ${seen.version}, ${seen.date}, by \`npm run prove-agents\`: the agent runs without a person against a scripted model, whose command leaves a mark if it runs. *refused*: \`install\` refuses the hook, since the agent would not run it.

| case | seen |
|---|---|
${rows.join('\n')}`;
}

function describeSeen({ otherwise }: ProofCase, agent: string, seen = 'not tried'): string {
  const own = otherwise?.[agent];
  const isDenied = seen === 'held' && typeof own === 'object' && own.command === 'does not run';
  return isDenied ? 'held: the call is denied' : seen;
}

function whatToKnow({ limits }: Agent): string {
  return `## What to know\n\n${limits.map((limit) => `- ${limit}`).join('\n')}`;
}

function namesOfTools({ tools }: Agent): string {
  const rows = Object.entries(tools).map(([own, common]) => `| \`${own}\` | \`${common}\` |`);
  if (rows.length === 0) return '';
  return `## Names of tools\n\nHooks see the names of Claude Code:\n\n| its own | in hooks |\n|---|---|\n${rows.join('\n')}`;
}

function listCode(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}
