import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { closeSharedSandbox, runScript, sharedSandbox } from '../../test/run-script.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

afterAll(closeSharedSandbox);

function ownSandbox(): Sandbox {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const settle = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const block = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until; );
};

describe('what a script has', () => {
  test('its variables, and none for what there is not', async () => {
    const code =
      'return { reason: JSON.stringify([type, agentId, toolName, toolInput, typeof toolResult, typeof prompt]) };';
    expect(await runScript(code)).toMatchObject({
      value: {
        reason: '["pre_tool_use","agent","bash",{"command":"ls"},"undefined","undefined"]',
      },
    });
  });

  test('tools, one after another and at the same time', async () => {
    const end = await runScript(
      `const one = await callTool('a', { n: 1 });
       const both = await Promise.all([callTool('b'), callTool('c', { n: 3 })]);
       return { reason: [one, ...both].map(({ content }) => content).join('; ') };`,
    );
    expect(end).toMatchObject({ value: { reason: 'a {"n":1}; b {}; c {"n":3}' } });
  });

  test('an error where a tool could not be called, without what it says', async () => {
    const callTool = async (): Promise<never> => {
      throw new Error('secret');
    };
    const code = "try { await callTool('a'); } catch (error) { return { reason: String(error) }; }";
    expect(await runScript(code, { callTool })).toMatchObject({
      value: { reason: 'Error: The tool a could not be called.' },
    });
  });

  test.each(['[1]', '"text"', 'null', '1'])('callTool refuses the input %s', async (input) => {
    expect(await runScript(`await callTool('a', ${input});`)).toMatchObject({
      code: 'threw',
      message: "Error: callTool('a', input): input must be an object.",
    });
  });

  test('log, with values as JSON', async () => {
    const { lines } = await runScript("log('a', 1, { b: [2] }, null, undefined, 3n, Symbol('s')); log();");
    expect(lines).toEqual(['a 1 {"b":[2]} null undefined 3 Symbol(s)', '']);
  });

  test('the line in which it threw', async () => {
    expect(await runScript('const a = 1;\n\nthrow new TypeError("x");')).toMatchObject({
      message: 'TypeError: x',
      line: 3,
    });
    expect(await runScript("await callTool('a');\nconst f = () => { null.x; };\nf();")).toMatchObject({
      line: 2,
    });
    expect(await runScript("throw 'text'")).toMatchObject({ message: 'text' });
  });

  test('no more than 4 MB, at its start or from a tool', async () => {
    const content = 'x'.repeat(4 * 1_048_576);
    expect(await runScript('return null', { variables: { toolResult: { content } } })).toMatchObject({
      code: 'given_too_much',
    });
    expect(await runScript("await callTool('cat');", { callTool: async () => ({ content }) })).toMatchObject({
      message: expect.stringMatching(/^Error: The result of cat has 41943\d\d characters/),
    });
    const { length } = content.slice(100);
    const end = await runScript("return { reason: String((await callTool('cat')).content.length) };", {
      callTool: async () => ({ content: content.slice(100) }),
    });
    expect(end).toMatchObject({ value: { reason: String(length) } });
  });
});

describe('a syntax error is found without running anything', () => {
  test.each([
    ['let a = ;', 1, 9],
    ['\n  const x = 1;\n  x ++ y;\n', 3, 8],
    ['foo(\n\n', 3, 1],
    ['if (true) {\n  return 1;\n', 3, 1],
    ['let type = 1;', 1, undefined],
    ["import x from 'y';", 1, undefined],
    ['}, evil(), async function () {', 1, 1],
    ['}); evil(); (async () => {', 1, undefined],
  ])('%j', async (code, line, column) => {
    expect(await sharedSandbox().check(code)).toMatchObject({
      line,
      column: column ?? expect.any(Number),
      message: expect.any(String),
    });
  });

  test.each([
    '',
    '// only a comment',
    'return 1',
    "await callTool('a')",
    'for await (const a of []) {}',
    '"use strict"; return',
  ])('%j is JavaScript', async (code) => expect(await sharedSandbox().check(code)).toBeUndefined());

  test.each(['['.repeat(200_000), `${'('.repeat(100_000)}1${')'.repeat(100_000)}`, `/${'(a'.repeat(1e5)}/`])(
    'one that nobody can compile',
    async (code) => {
      expect(await sharedSandbox().check(code)).toBeDefined();
      expect(await sharedSandbox().check('return 1')).toBeUndefined();
    },
  );
});

describe('the deadline is running time', () => {
  test('a cold worker starts without it', async () => {
    const startFour = async (deadline: number) => {
      const sandbox = ownSandbox();
      const ends = await Promise.all(
        [1, 2, 3, 4].map((n) => runScript(`return { reason: '${n}' }`, { in: sandbox, deadline })),
      );
      return ends.map(({ type }) => type);
    };
    const startedAt = performance.now();
    await startFour(30_000);
    const took = performance.now() - startedAt; // On a busy machine it is long, and so may be the next.
    expect(await startFour(took / 2)).toEqual(['done', 'done', 'done', 'done']);
  });

  test('waiting for tools does not count', async () => {
    const callTool = async (): Promise<unknown> => settle(800);
    const code = "for (let i = 0; i < 2; i++) await callTool('slow'); return null;";
    expect(await runScript(code, { callTool, deadline: 700 })).toMatchObject({ type: 'done' });
  });

  test('the time before and after tools is added up', async () => {
    const spin = 'for (const until = Date.now() + 90; Date.now() < until; );';
    const code = `for (let i = 0; i < 10; i++) { ${spin} await callTool('a'); }`;
    expect(await runScript(code, { deadline: 250 })).toMatchObject({ code: 'timed_out' });
  });

  test('tools that answer do not put off the end of a loop in the engine', async () => {
    const startedAt = performance.now();
    const code = "for (let i = 0; i < 20; i++) callTool('slow', { i });\n new Array(2 ** 32 - 1).join('');";
    const callTool = async (_name: string, { i }: Record<string, unknown>): Promise<unknown> =>
      settle(1_500 * (i as number));
    expect(await runScript(code, { callTool, deadline: 100 })).toMatchObject({ code: 'timed_out' });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  test('… nor one that is entered while the last answer was on its way', async () => {
    const code = "callTool('a'); await callTool('b'); new Array(2 ** 32 - 1).join('');";
    for (let i = 0; i < 3; i++)
      expect(await runScript(code, { deadline: 50 })).toMatchObject({ code: 'timed_out' });
  });

  test('a script that ended in time is heard, however busy the main thread was', async () => {
    await runScript('return 1');
    const running = runScript('return { reason: "in time" }', { deadline: 300 });
    block(800);
    expect(await running).toMatchObject({ value: { reason: 'in time' } });
  });
});

describe('the end from outside', () => {
  test.each([
    'for (;;);',
    "new Array(2 ** 32 - 1).join('');",
    "await callTool('never');",
    'for (;;) await 0;',
  ])('an abort ends %s at once', async (code) => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    const startedAt = performance.now();
    const end = await runScript(code, {
      signal: abort.signal,
      deadline: 30_000,
      callTool: () => new Promise(() => {}),
    });
    expect(end).toMatchObject({ code: 'aborted' });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  test('one that was aborted before does not start', async () => {
    const end = await runScript("log('ran');", { signal: AbortSignal.abort() });
    expect(end).toMatchObject({ code: 'aborted', lines: [] });
  });

  test('closing ends what is running, and nothing starts any more', async () => {
    const sandbox = createSandbox();
    const running = runScript('for (;;);', { in: sandbox, deadline: 30_000 });
    await settle(20);
    await sandbox.close();
    await sandbox.close();
    expect(await running).toMatchObject({ type: 'failed', code: 'crashed' });
    await expect(runScript('return 1', { in: sandbox })).rejects.toMatchObject({ code: 'closed' });
    await expect(sandbox.check('return 1')).rejects.toMatchObject({ code: 'closed' });
  });

  test('after a rest the next script starts a worker', async () => {
    const sandbox = ownSandbox();
    await runScript('return 1', { in: sandbox });
    sandbox.rest();
    expect(await runScript('return 1', { in: sandbox })).toMatchObject({ type: 'done' });
  });
});

describe('one worker runs one script after another', () => {
  test('the answer of a call that nobody waited for does not reach the next script', async () => {
    const sandbox = ownSandbox();
    const callTool = async (name: string): Promise<unknown> => {
      await settle(name === 'late' ? 40 : 120);
      return { content: name };
    };
    await runScript("callTool('late'); return 1;", { in: sandbox, callTool });
    const end = await runScript("return { reason: (await callTool('own')).content };", {
      in: sandbox,
      callTool,
    });
    expect(end).toMatchObject({ value: { reason: 'own' } });
  });

  test('what runs after the answer does not run', async () => {
    const { lines } = await runScript(
      "(async () => { for (;;) { await 0; await 0; } })(); log('a'); return 1;",
    );
    expect(lines).toEqual(['a']);
  });

  test('a script inside a tool call of another has a worker of its own, also when all turns are taken', async () => {
    const sandbox = ownSandbox();
    let inside = 0;
    const callTool = async (): Promise<unknown> => {
      inside++;
      while (inside < 16) await settle(5);
      return runScript('return { reason: "inner" }', { in: sandbox, level: 1 });
    };
    const outer = Array.from({ length: 20 }, () =>
      runScript("return { reason: (await callTool('a')).value.reason }", {
        in: sandbox,
        callTool,
        deadline: 10_000,
      }),
    );
    for (const end of await Promise.all(outer)) expect(end).toMatchObject({ value: { reason: 'inner' } });
  }, 20_000);
});

test('workers keep no process alive, warm or in the middle of a script that was left behind', async () => {
  const code = `
    import { createSandbox } from ${JSON.stringify(new URL('./sandbox.ts', import.meta.url).href)};
    const sandbox = createSandbox();
    const run = (code) => sandbox.run({ code, variables: {}, deadline: 100, callTool: async () => {}, onLog() {} });
    await run('return 1');
    console.log((await run("new Array(2 ** 32 - 1).join('')")).code);`;
  const flags = ['--conditions=@spec/source', '--import', 'tsx', '--input-type=module', '-e', code];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 20_000 });
  expect(stdout).toBe('timed_out\n');
}, 20_000);
