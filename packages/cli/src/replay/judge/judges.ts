import { type CommandEntry, explainEntry } from '@spec/commands';
import { type HookToolCall, type LifecycleName, parseArguments } from '@spec/hooks';
import { hooksOfEvents, type Rule } from '@spec/rules';
import { parsePayload } from '../../event/payload.ts';
import { openScene } from '../../event/scene.ts';
import { ofRule } from '../../explain/of-rule.ts';
import type { Occasion } from '../../explain/outlook.ts';
import type { Project } from '../../project/load-project.ts';
import { builtInGuards, type GuardedCall, guardedCall } from './guards.ts';

/** What a hook would have made of something that happened. */
export interface Judgement {
  /** `unknown`: it starts a command, asks a server or runs a script, and only that would tell. */
  readonly outcome: 'denied' | 'asked' | 'unknown';
  /** For the model; a command's has none. */
  readonly reason?: string;
}

/** A hook of which it can be said what it would have done without running it. */
export interface Judge {
  readonly id: string;
  readonly hook: LifecycleName;
  /** File and line; `null` for those of the command. */
  readonly source: string | null;
  /** What it makes of an occasion of its hook; `undefined` where that is nothing. */
  judge(given: Given): Promise<Judgement | undefined>;
}

/** What happened, as hooks are given it. */
export interface Given {
  readonly hook: LifecycleName;
  readonly args: readonly unknown[];
  readonly call?: GuardedCall;
}

/** All who judge, in the order in which they are asked. */
export interface JudgesBench {
  readonly judges: readonly Judge[];
  close(): Promise<void>;
}

/** The rules and entries of a project. Nothing of it is started. */
export async function makeJudgesOfProject(project: Project): Promise<JudgesBench> {
  const scene = await openScene({ payload: parsePayload({}, 'a recording'), hooks: [], isSubagent: false });
  const { state } = scene;
  const entries = (project.settings?.entries ?? []).flatMap((entry) =>
    listHooksOfEntry(entry).map((hook) => makeJudgeOfEntry({ ...entry, event: hook }, { project, state })),
  );
  const rules = (project.rules?.rules ?? []).flatMap((rule) =>
    hooksOfEvents[rule.event].map((hook) => makeJudgeOfRule(rule, { hook })),
  );
  return { judges: [...entries, ...rules], close: () => scene.close() };
}

function listHooksOfEntry({ event, alsoAt }: CommandEntry): LifecycleName[] {
  return alsoAt === undefined ? [event] : [event, alsoAt];
}

function makeJudgeOfEntry(
  entry: CommandEntry,
  { project, state }: { readonly project: Project; readonly state: Occasion['state'] },
): Judge {
  const { id, event, position } = entry;
  return {
    id,
    hook: event,
    source: `${position.file}:${position.line}`,
    async judge({ args }) {
      const { runs, answer } = await explainEntry(entry, { state, args, projectDir: project.folder });
      const { decision, reason } = answer ?? {};
      const why = reason === undefined ? {} : { reason };
      if (decision === 'deny') return { outcome: 'denied', ...why };
      if (decision === 'ask') return { outcome: 'asked', ...why };
      return runs === false ? undefined : { outcome: 'unknown' };
    },
  };
}

function makeJudgeOfRule(rule: Rule, { hook }: Pick<Occasion, 'hook'>): Judge {
  return {
    id: rule.id,
    hook,
    source: rule.position ?? null,
    async judge({ args }) {
      const { runs, opinion } = ofRule(rule, { hook, args });
      if (runs === false) return undefined;
      if (opinion === 'open') return { outcome: 'unknown' };
      const { decision, reason } = opinion;
      const why = reason === null ? {} : { reason };
      if (decision === 'deny') return { outcome: 'denied', ...why };
      return decision === 'ask' ? { outcome: 'asked', ...why } : undefined;
    },
  };
}

/** The guards that come with the command. */
export const judgesOfGuards: readonly Judge[] = builtInGuards.map(({ id, decision, reason, fits }) => ({
  id,
  hook: 'before_tool_call',
  source: null,
  async judge({ call }) {
    if (call === undefined || !fits(call)) return undefined;
    return { outcome: decision === 'deny' ? 'denied' : 'asked', reason };
  },
}));

/** What hooks are given of a call. */
export function readGivenOfCall(call: HookToolCall, cwd: string | undefined): Given {
  const view = { name: call.function.name, input: parseArguments(call) ?? {} };
  return { hook: 'before_tool_call', args: [call], call: guardedCall(view, cwd) };
}
