import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

/** One script, and what it imports. */
export interface Bundle {
  readonly code: string;
  readonly imports: readonly string[];
}

/** The core of the package with what it depends on, as the one script that a browser would load. */
export async function bundleCore(): Promise<Bundle> {
  const bundles = await build({
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    config: false,
    entry: { core: 'src/index.ts' },
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    dts: false,
    write: false,
    // Or the built package would be gone, which other tests start.
    clean: false,
    tsconfig: '../../tsconfig.json',
    deps: { alwaysBundle: [/.*/], onlyBundle: false },
    logLevel: 'silent',
  });
  const chunks = bundles.flatMap(({ chunks }) => chunks).filter((chunk) => chunk.type === 'chunk');
  const [chunk] = chunks;
  if (chunk === undefined || chunks.length !== 1) throw new Error(`expected one chunk, got ${chunks.length}`);
  return { code: chunk.code, imports: [...chunk.imports, ...chunk.dynamicImports] };
}

/** What {@link program} comes to wherever it runs. */
export const expected: Readonly<Record<string, unknown>> = {
  changed: ['hello', 'hello world'],
  timedOut: 'text',
  denied: ['deny', 'is_denied'],
  collected: ['a', 'b'],
  refused: 'bad_hook',
  aborted: 'aborted',
  late: 'late_write',
  outcomes: ['changed', 'timed_out', 'denied', 'ok', 'ok', 'aborted'],
};

/** A program over the core's exports, in plain JavaScript: a chain of each kind, a timeout, an abort, a late write. */
export const program = `
async function tryCore({ createExecutor, createRegistry, defineHook }) {
  const thread = new AbortController();
  const state = {
    execution: { abortSignal: thread.signal },
    setValue: async () => {},
  };
  const outcomes = [];
  const executor = createExecutor({ onRun: ({ outcome }) => outcomes.push(outcome) });
  const run = (hook, execute, options, ...args) => {
    const id = options.id ?? 'a_hook';
    const scope = createRegistry({ policies: [defineHook({ hook, id, execute, ...options })] }).scope();
    return executor.run(hook, scope, state, ...args);
  };
  const message = { role: 'user', content: 'hello' };
  const changed = await run('before_create_message', async (_, m) => ({ ...m, content: m.content + ' world' }), {}, message);
  let late;
  const hangs = (view) => {
    late = view;
    return new Promise(() => {});
  };
  const timedOut = await run('after_system_message', hangs, { timeout: 20, onTimeout: 'continue' }, 'text');
  const call = { id: 'c', type: 'function', function: { name: 'send_mail', arguments: '{}' } };
  const verdict = await run('before_tool_call', async () => ({ decision: 'deny' }), { id: 'is_denied', match: 'send_*' }, call);
  const session = { sessionId: 's', source: 'created', agentId: 'a', parentId: null };
  const collected = await run('after_session_started', async () => ['a', 'b'], {}, session);
  await run('after_thread_created', async () => {}, {});
  const codeOf = async (act) => {
    try {
      await act();
    } catch (error) {
      return error.code;
    }
  };
  const refused = await codeOf(() => defineHook({ hook: 'filter_messages', id: 'Not Snake' }));
  const aborting = codeOf(() => run('after_system_message', () => new Promise(() => {}), {}, 'text'));
  thread.abort();
  return {
    changed: [message.content, changed.content],
    timedOut,
    denied: [verdict.decision, verdict.by],
    collected,
    refused,
    aborted: await aborting,
    late: await codeOf(() => late.setValue('a', 1)),
    outcomes,
  };
}
`;
