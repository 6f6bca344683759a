import {
  type AnyHook,
  type ChainResult,
  createExecutor,
  createRegistry,
  DefinitionError,
  type ExecutorOptions,
  type HookArgs,
  type LifecycleName,
  type Scope,
} from '@spec/hooks';
import { realPaths } from '@spec/hooks/node';
import { type Notice, outsideState } from './outside-state.ts';

/** Which hooks a service has, and who hears of them. */
export interface RunnerOptions {
  /** The hooks, such as those that `loadSettings` gives; or those of a project, loaded when its folder is first named. */
  readonly hooks: readonly AnyHook[] | ((projectDir: string) => Promise<readonly AnyHook[]>);
  /** The folder where a call names none. Default: the working folder. */
  readonly projectDir?: string;
  /** Hears what hooks have to say beyond what the functions return. Must not throw. */
  readonly onNotice?: (notice: Notice) => void;
  /** Called after every run of a hook. Must not throw. */
  readonly onRun?: NonNullable<ExecutorOptions['onRun']>;
}

/** One question to the hooks of a session. */
export interface Asked {
  /** Runs a chain; what its hooks have for the model goes to `onNotice`. */
  chain<K extends LifecycleName>(hook: K, ...args: HookArgs<K>): Promise<ChainResult<K>>;
  /** The same for a function that returns texts for the model: `contexts` gives what the hooks had for it. */
  chainForModel<K extends LifecycleName>(hook: K, ...args: HookArgs<K>): Promise<ChainResult<K>>;
  note(kind: Notice['kind'], text: string): void;
  /** What hooks had for the model without returning it. */
  contexts(): readonly string[];
}

/** Where and how hooks are asked. */
export interface AskedIn {
  readonly sessionId: string;
  readonly projectDir?: string | undefined;
  readonly permissionMode?: string | undefined;
}

/** Runs the chains of hooks for loops that have no threads. */
export interface Runner {
  hasHooks(): boolean;
  in(place: AskedIn): Asked;
}

export function createRunner(options: RunnerOptions): Runner {
  const { hooks, projectDir: home = process.cwd(), onNotice, onRun } = options;
  refuseOther(hooks);
  const scopes = createScopes(hooks);
  return {
    hasHooks: () => scopes.hasHooks(home),
    in({ sessionId, projectDir = home, permissionMode = 'default' }) {
      const contexts: string[] = [];
      const note: Asked['note'] = (kind, text) => onNotice?.({ kind, text, sessionId });
      const state = outsideState({
        sessionId,
        permissionMode,
        note: (kind, text) => (kind === 'context' ? void contexts.push(text) : note(kind, text)),
      });
      const executor = createExecutor({
        environment: realPaths(projectDir),
        ...(onRun === undefined ? {} : { onRun }),
      });
      const chainForModel: Asked['chainForModel'] = async (hook, ...args) =>
        executor.run(hook, await scopes.of(projectDir), state, ...args);
      return {
        note,
        contexts: () => contexts.splice(0),
        chainForModel,
        async chain(hook, ...args) {
          const result = await chainForModel(hook, ...args);
          for (const text of contexts.splice(0)) note('context', text);
          return result;
        },
      };
    },
  };
}

/** Without hooks everything would pass. @throws {DefinitionError} `bad_option` */
function refuseOther(hooks: unknown): void {
  if (typeof hooks === 'function' || Array.isArray(hooks)) return;
  const remedy = 'give those of loadSettings, with `watch: true` those of `current`';
  throw new DefinitionError(
    'bad_option',
    `createHookService: hooks must be a list of hooks or a function: ${remedy}.`,
  );
}

interface Scopes {
  hasHooks(projectDir: string): boolean;
  of(projectDir: string): Promise<Scope>;
}

function createScopes(hooks: RunnerOptions['hooks']): Scopes {
  if (typeof hooks !== 'function') {
    const scope = createRegistry({ policies: hooks }).scope();
    return { hasHooks: () => hooks.length > 0, of: async () => scope };
  }
  const known = new Map<string, Promise<Scope>>();
  const empty = new Set<string>();
  async function load(projectDir: string): Promise<Scope> {
    const found = await (hooks as (projectDir: string) => Promise<readonly AnyHook[]>)(projectDir);
    if (found.length === 0) empty.add(projectDir);
    return createRegistry({ policies: found }).scope();
  }
  return {
    hasHooks: (projectDir) => !empty.has(projectDir),
    of(projectDir) {
      const scope = known.get(projectDir) ?? load(projectDir);
      known.set(projectDir, scope);
      scope.catch(() => known.delete(projectDir));
      return scope;
    },
  };
}
