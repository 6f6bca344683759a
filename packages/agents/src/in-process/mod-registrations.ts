import type { Moment } from '../agent.ts';
import { claudeMod } from '../agents/claude-mod.ts';
import { describeBroken } from '../refusal.ts';
import { createInProcessHost, type InProcessHost, type InProcessOptions } from './host.ts';

/**
 * The file that registers the hooks of a mod for the events that concern them. Claude Code reads its text before it loads it, and takes `on`
 * and `$` only where they are written out; so each event stands in it by itself, with what happens when the hooks fail.
 *
 * @throws {DefinitionError} `bad_hook` if a mod cannot run a hook as documented; gives the reason for each hook
 */
export function writeModRegistrations(options: InProcessOptions, from: string): string {
  const host = createInProcessHost(claudeMod, options);
  const rows = registrations.filter((row) => isConcerned(row, host));
  return `// Registers the hooks with Claude Code. Made by "spec-hooks bundle claude-mod": change nothing here.
import { mod } from ${JSON.stringify(from)};

const broken = ${JSON.stringify(BROKEN)};

export function register(on) {
${rows.map((row) => writeRow(row, host)).join('\n')}
}
`;
}

const BROKEN = describeBroken(
  'The hooks failed in the mod, or took longer than Claude Code gives them.',
  claudeMod.wayOut,
);

interface Registration {
  /** As `on` takes it, with what it is narrowed to. */
  readonly event: string;
  readonly moments: readonly Moment[] | 'system';
  /** What is called: with `e`, `next` and `here`, the session and its folder. */
  readonly call: string;
  /** What is answered when that fails before anything was passed on. Without it, the event goes on as if there were no hook. */
  readonly refusal?: string;
}

const HERE = '{ session: await $.session.id(), folder: await $.session.cwd() }';

const registrations: readonly Registration[] = [
  {
    event: "'prompt.submit'",
    moments: ['prompt'],
    call: `mod.passPrompt(e, next, ${HERE})`,
    refusal: '{ drop: broken }',
  },
  {
    event: "'classic.PreToolUse'",
    moments: ['tool_call'],
    call: `mod.passCall(e, next, ${HERE})`,
    refusal: '{ deny: broken }',
  },
  {
    event: "'classic.PermissionRequest'",
    moments: ['permission'],
    call: 'mod.passPermission(e, next)',
    refusal: "{ decision: { behavior: 'deny', message: broken } }",
  },
  {
    event: "'session.append', { door: ['response', 'tool-result'] }",
    moments: ['tool_result', 'tool_failure'],
    call: `mod.passRow(e, next, ${HERE})`,
    refusal: `next({ ...e, message: { ...e.message, content: e.message.content.map((block) =>
      block.type === 'tool_result' ? { ...block, content: [{ type: 'text', text: broken }], is_error: true } : block) } })`,
  },
  {
    event: "'classic.PostToolBatch'",
    moments: ['tool_batch'],
    call: "mod.tell('tool_batch', e, next)",
  },
  { event: "'classic.Stop'", moments: ['stop'], call: 'mod.passStop(e, next)' },
  { event: "'classic.SubagentStop'", moments: ['stop'], call: 'mod.passStop(e, next)' },
  { event: "'session.compact'", moments: ['compaction'], call: `mod.passCompaction(e, next, ${HERE})` },
  { event: "'prompt.compose'", moments: 'system', call: `mod.passSystem(e, next, ${HERE})` },
  {
    event: "'classic.SessionStart'",
    moments: ['session_start'],
    call: "mod.tell('session_start', e, next)",
  },
  {
    event: "'classic.SubagentStart'",
    moments: ['subagent_start'],
    call: "mod.tell('subagent_start', e, next)",
  },
  { event: "'classic.SessionEnd'", moments: ['session_end'], call: "mod.tell('session_end', e, next)" },
  { event: "'classic.Notification'", moments: ['notification'], call: "mod.tell('notification', e, next)" },
];

function isConcerned({ moments }: Registration, host: InProcessHost): boolean {
  if (moments === 'system') return host.seesSystem;
  return moments.some((moment) => host.concerns(moment));
}

/** A guard that fails denies; where hooks only observe, the event goes on. */
function writeRow({ event, moments, call, refusal }: Registration, host: InProcessHost): string {
  const guards = moments !== 'system' && moments.some((moment) => isGuard(moment, host));
  const fails = refusal === undefined || !guards ? 'next(e)' : `next.called ? next(e) : ${refusal}`;
  return `  on(${event}, async ($, e, next) => ${call})
    .catch(async ($, e, next) => (${fails}));`;
}

function isGuard(moment: Moment, host: InProcessHost): boolean {
  if (moment === 'tool_result' || moment === 'tool_failure') return host.concerns(moment);
  return host.guarded.includes(moment);
}
