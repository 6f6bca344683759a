import { type AnyHook, findMisnamedTools, lifecycleRow, type Registry, type RunRecord } from '@spec/hooks';
import type { Catalog } from '../definitions/catalog.ts';
import { warn } from '../warn.ts';

/**
 * Warns of hooks whose failure lets the turn go on, and of those that return nothing where a value or `null` is expected: once for each
 * hook and outcome, so that its author learns of it without looking into the records. Never data.
 */
export class HookWarnings {
  readonly #registry: Registry;
  readonly #told = new Set<string>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  noteRun(run: RunRecord): void {
    if (!failures.has(run.outcome) && (run.outcome !== 'ok' || run.why === undefined)) return;
    const sentence = this.#describe(run);
    const key = `${run.id} ${run.outcome}`;
    if (sentence === undefined || this.#told.has(key)) return;
    this.#told.add(key);
    warn(`Hook "${run.id}" (${run.hook}) ${sentence}`, { type: 'HookWarning', code: 'HOOK_FAILED' });
  }

  #describe({ id, hook: name, outcome, why }: RunRecord): string | undefined {
    const said = why === undefined ? '' : `: ${why}`;
    const hook = this.#find(id);
    if (hook?.hook !== name) return undefined;
    if (outcome === 'ok') return why === undefined || isDeciding(hook) ? undefined : `ran, but ${why}.`;
    return failures.has(outcome) && goesOn(hook, outcome)
      ? `did not succeed (${outcome}${said}). The turn went on; later runs are in the ledger alone.`
      : undefined;
  }

  #find(id: string): AnyHook | undefined {
    const { hooks, policies } = this.#registry;
    return hooks.get(id) ?? policies.find((policy) => policy.id === id);
  }
}

const failures: ReadonlySet<string> = new Set(['failed', 'timed_out', 'invalid_input', 'invalid_result']);

function goesOn({ hook, onError, onTimeout }: AnyHook, outcome: RunRecord['outcome']): boolean {
  const policy = (outcome === 'timed_out' ? onTimeout : undefined) ?? onError ?? lifecycleRow(hook).onFailure;
  return policy === 'continue';
}

/** What is told of the run of a deciding hook is about its decision. */
function isDeciding({ hook }: AnyHook): boolean {
  return lifecycleRow(hook).kind === 'decide';
}

/** Warns of hooks that never run, or never for what they are meant for. */
export function warnOfIdleHooks(catalog: Catalog): void {
  warnOfUnnamedHooks(catalog);
  warnOfMisnamedTools(catalog);
}

/** Some hooks that nobody names are a library that others use in part. If all are, their author expects them to run. */
function warnOfUnnamedHooks({ registry, agents, prompts }: Catalog): void {
  const { hooks, policies } = registry;
  const unnamed = [...hooks.values()].filter((hook) => !policies.includes(hook));
  const isAnyNamed = [...agents.values(), ...prompts.values()].some(
    ({ hooks: named }) => named !== undefined,
  );
  if (unnamed.length === 0 || isAnyNamed) return;
  const ids = unnamed.map(({ id }) => `"${id}"`).join(', ');
  warn(
    `No prompt and no agent names a hook, so that none of these runs: ${ids}. Name them in \`hooks\` of a prompt or an agent, or give them to createRuntime as \`policies\`, which run everywhere.`,
    { type: 'HookWarning', code: 'HOOKS_UNNAMED' },
  );
}

/** Their matcher names a tool of the runtime in another case or with other separators: they would never run for it. */
function warnOfMisnamedTools({ registry, tools }: Catalog): void {
  for (const { id, hook, matcher } of registry.hooks.values())
    for (const { written, meant } of findMisnamedTools(matcher?.source ?? '', tools.keys()))
      warn(
        `Hook "${id}" (${hook}) never runs for "${written}", which its matcher names: no tool is called so. Did you mean "${meant}"?`,
        { type: 'HookWarning', code: 'TOOL_MISNAMED' },
      );
}
