import { expect } from 'vitest';
import { createSandbox, type Sandbox } from '../src/scripts/sandbox.ts';
import type { ScriptEnd, ScriptRequest } from '../src/scripts/script-run.ts';

/** What a test wants of a run, where the defaults do not do. */
export type ScriptSetup = Partial<ScriptRequest> & { readonly in?: Sandbox; readonly level?: number };

let sandbox: Sandbox | undefined;

/** One sandbox for the tests of a file that need none of their own; the file closes it. */
export function sharedSandbox(): Sandbox {
  sandbox ??= createSandbox();
  return sandbox;
}

/** Ends the workers of the shared sandbox. */
export async function closeSharedSandbox(): Promise<void> {
  await sandbox?.close();
  sandbox = undefined;
}

/** Runs a script with a tool `echo`, which gives back its input. */
export async function runScript(
  code: string,
  { in: given = sharedSandbox(), level = 0, ...setup }: ScriptSetup = {},
): Promise<ScriptEnd & { readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const end = await given.run(
    {
      code,
      variables: { type: 'pre_tool_use', agentId: 'agent', toolName: 'bash', toolInput: { command: 'ls' } },
      deadline: 1_000,
      callTool: async (name, input) => ({ content: `${name} ${JSON.stringify(input)}` }),
      onLog: (line) => lines.push(line),
      ...setup,
    },
    level,
  );
  return { ...end, lines };
}

/** How late timers of this thread were, at most, while something ran, in milliseconds. */
async function lagDuring<T>(work: () => Promise<T>): Promise<{ result: T; lag: number }> {
  let lag = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    lag = Math.max(lag, now - last - 5);
    last = now;
  }, 5);
  try {
    const result = await work();
    return { result, lag };
  } finally {
    clearInterval(timer);
  }
}

/** A main thread that shares its machine with others waits for them too; what it waits for a script it waits for every time. */
const TRIES = 5;
/** In milliseconds, and as a part of the time that a long script took: a thread that did the work of the script would be late by all of it. */
const LAG = { ms: 100, part: 1 / 5 };

/** Runs a script that means harm: it must end soon, the main thread must go on meanwhile, and the next script must run. */
export async function attack(
  code: string,
  deadline: number,
  setup: ScriptSetup = {},
): ReturnType<typeof runScript> {
  for (let tries = 1; ; tries++) {
    const startedAt = performance.now();
    const { result, lag } = await lagDuring(() => runScript(code, { ...setup, deadline }));
    const took = performance.now() - startedAt;
    expect(took, 'how long it took').toBeLessThan(deadline + 5_000);
    expect(await runScript('return { reason: "still here" }')).toMatchObject({
      value: { reason: 'still here' },
    });
    if (lag < Math.max(LAG.ms, took * LAG.part)) return result;
    expect(tries, `the main thread lags by ${lag} ms`).toBeLessThan(TRIES);
  }
}
