import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createExecutor, defineHook, type RunError, readCause, scopeOf } from '../src/index.ts';
import { fakeState, userMessage } from '../src/testing/index.ts';

const SECRET = 'card 4111 1111 1111 1111';

async function failWith(execute: () => Promise<never>): Promise<RunError> {
  const hook = defineHook({ hook: 'before_create_message', id: 'fails', execute });
  const scope = scopeOf([{ hook: hook as never, source: 'test' }]);
  try {
    await createExecutor().run('before_create_message', scope, fakeState(), userMessage('Hi.'));
  } catch (error) {
    return error as RunError;
  }
  throw new Error('It did not fail.');
}

test('what a hook threw is there for who asks for it, and printed and logged by nothing', async () => {
  const thrown = new TypeError(SECRET);
  const error = await failWith(() => Promise.reject(thrown));
  expect(readCause(error)).toBe(thrown);
  expect(Object.getOwnPropertyNames(error)).not.toContain('cause');
  for (const printed of [inspect(error, { showHidden: true }), JSON.stringify(error), String(error)])
    expect(printed).not.toContain(SECRET);
  expect(error.message).toMatch(
    /^Hook "fails" \(before_create_message\) failed: TypeError at .+\. What was thrown: readCause\(error\) of @spec\/hooks\.$/,
  );
});

test('a thrown text has no line, and its author is told so', async () => {
  const error = await failWith(() => Promise.reject('no database'));
  expect(error.message).toContain('it threw a value that is not an Error, so its line is not known');
  expect(readCause(error)).toBe('no database');
});

test('nothing is known of what is no error of ours', () => {
  for (const other of [new Error('x'), undefined, null, 'text', 1]) expect(readCause(other)).toBeUndefined();
});

test('an uncaught error of ours prints nothing of what was thrown', () => {
  const index = fileURLToPath(new URL('../src/index.ts', import.meta.url));
  const program = `import { RunError, withCause } from ${JSON.stringify(index)};
    throw withCause(new RunError('hook_failed', 'It failed.'), new Error(${JSON.stringify(SECRET)}));`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  );
  expect(status).toBe(1);
  expect(stderr).toContain('RunError: It failed. What was thrown: readCause(error) of @spec/hooks.');
  expect(stderr.split('\n').filter((line) => line.includes(SECRET) && !line.includes('withCause('))).toEqual(
    [],
  );
});
