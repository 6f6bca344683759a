// Event: runs the hooks of one event on a thread of their own. `run`, `test` and `explain` call it; it never touches the store of the project.

import {
  createExecutor,
  createRegistry,
  DefinitionError,
  type Executor,
  type LifecycleName,
  nearest,
  RunError,
  type RunRecord,
  type Scope,
  scopeOf,
  type ThreadState,
} from '@spec/hooks';
import { realPaths } from '@spec/hooks/node';
import { hookView } from '@spec/runtime/testing';
import { knownHooks } from '../project/known-hooks.ts';
import { listCarried } from '../project/list-carried.ts';
import type { Project } from '../project/load-project.ts';
import type { AskedEvent } from './event-of.ts';
import { describeFired, type Ended, type Fired, type Thrown } from './fired.ts';
import { hookArguments } from './hook-arguments.ts';
import type { Payload } from './payload.ts';
import { openScene } from './scene.ts';
import { toolResultIn } from './tools.ts';

/** One firing of one event. */
export interface Firing {
  readonly event: AskedEvent;
  readonly payload: Payload;
  /** Of the hooks that prompts and agents name, those of this agent or prompt. Default: all. */
  readonly agent?: string | undefined;
  /** Where the payload names no thread. */
  readonly threadId?: string | undefined;
}

/**
 * Really runs the hooks of one event, on a thread of their own.
 *
 * @throws {DefinitionError} naming what is missing in the payload, or as the registry refuses the hooks
 */
export async function fire(project: Project, firing: Firing): Promise<Fired> {
  const { payload, event } = firing;
  const scope = scopeFor(project, firing);
  const scene = await openScene({
    payload,
    hooks: [...project.policies, ...project.hooks],
    isSubagent: event.isOfSubagents,
    threadId: firing.threadId,
  });
  const runs: RunRecord[] = [];
  const thrown: Thrown[] = [];
  const executor = createExecutor({
    view: hookView,
    environment: realPaths(project.folder),
    onRun(run, { error }) {
      runs.push(run);
      if (error !== undefined) thrown.push({ id: run.id, error });
    },
  });
  try {
    const hook = hookFor(firing);
    const { state, child } = scene;
    const args = await hookArguments(hook, { payload, state, child });
    const ended = await runChain(executor, { hook, scope, state, args });
    await waitForBackground(project, { hook, state });
    const said = await scene.said();
    const all = [...runs, ...(await scene.runs())];
    return describeFired({
      hook,
      ended,
      said,
      runs: all,
      thrown,
      members: knownHooks(project),
      carried: listCarried(project),
    });
  } finally {
    await scene.close();
  }
}

/** A result that says the tool failed is told to the hooks that a runtime would tell it to. */
export function hookFor({ event, payload }: Pick<Firing, 'event' | 'payload'>): LifecycleName {
  if (event.name !== 'PostToolUse') return event.hook;
  return toolResultIn(payload, false).status === 'error' ? 'after_tool_call_failure' : event.hook;
}

/** The chains: what runs everywhere, and what the agent names. */
export function scopeFor({ hooks, policies, config }: Project, { agent }: Pick<Firing, 'agent'>): Scope {
  const registry = createRegistry({ hooks, policies });
  if (agent === undefined)
    return registry.scope({ agent: { name: 'all', hooks: hooks.map(({ id }) => id) } });
  const owner = config.agents?.find(({ name }) => name === agent);
  if (owner !== undefined) return registry.scope({ agent: owner });
  const names = (config.agents ?? []).map(({ name }) => name);
  const meant = nearest(agent, names);
  const hint = meant === undefined ? `It has ${names.join(', ') || 'none'}.` : `Did you mean "${meant}"?`;
  throw new DefinitionError('unknown_id', `The configuration has no agent or prompt "${agent}". ${hint}`);
}

interface ChainCall {
  readonly hook: LifecycleName;
  readonly scope: Scope;
  readonly state: ThreadState;
  readonly args: readonly unknown[];
}

async function runChain(executor: Executor, { hook, scope, state, args }: ChainCall): Promise<Ended> {
  const run = executor.run as (...all: readonly unknown[]) => unknown;
  try {
    return { value: await run(hook, scope, state, ...args) };
  } catch (error) {
    if (error instanceof RunError) return { error };
    throw error;
  }
}

/** Entries that nobody waits for run to their end, as they may when a session ends. */
async function waitForBackground(
  { settings }: Project,
  { hook, state }: Pick<ChainCall, 'hook' | 'state'>,
): Promise<void> {
  const drains = (settings?.hooks ?? []).filter(({ id }) => id.endsWith('_drain'));
  for (const drain of drains.filter((one) => one.hook !== hook)) {
    const scope = scopeOf([{ hook: drain, source: 'policy' }]);
    const args = [{ sessionId: state.threadId }];
    await runChain(createExecutor({ view: hookView }), { hook: drain.hook, scope, state, args });
  }
}
