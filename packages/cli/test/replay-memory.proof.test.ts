import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';
import { cliEnv, runCliApart } from './run-cli.ts';

/** `MEGABYTES=1000` is the whole of it. */
const MEGABYTES = Number(process.env.MEGABYTES ?? 64);
const PER_FILE = 16;

/** Writes files of sessions in which tools read code, as real ones do. */
async function writeSessions(folder: string, megabytes: number): Promise<void> {
  for (let file = 0; file * PER_FILE < megabytes; file++) {
    const stream = createWriteStream(join(folder, `${file}.jsonl`));
    const wanted = Math.min(PER_FILE, megabytes - file * PER_FILE) * 1e6;
    for (let written = 0, n = 0; written < wanted; n++) {
      const lines = sessionLines(file, n);
      written += lines.length;
      if (!stream.write(lines)) await once(stream, 'drain');
    }
    stream.end();
    await once(stream, 'finish');
  }
}

function sessionLines(file: number, n: number): string {
  const id = `toolu_${String(file * 1e6 + n).padStart(14, '0')}`;
  const common = { sessionId: `session-${file}`, cwd: '/work/shop', timestamp: '2030-01-01T10:00:00.000Z' };
  const command = n % 10 === 0 ? 'sudo ls' : 'npm test';
  const content = 'export const value = compute(input, { retries: 3 });\n'.repeat(60);
  return [
    { type: 'user', uuid: `p${id}`, message: { content: 'Go on.' } },
    {
      type: 'assistant',
      uuid: `a${id}`,
      message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }] },
    },
    {
      type: 'user',
      uuid: `u${id}`,
      message: { content: [{ type: 'tool_result', tool_use_id: id, content }] },
    },
  ]
    .map((line) => `${JSON.stringify({ ...common, ...line })}\n`)
    .join('');
}

/** A limit on what is in use, not on what waits for the garbage collector: that depends on how busy the machine is. */
const HEAP = 32;

test('a folder of sessions is judged in bounded memory', { timeout: 600_000 }, async () => {
  const { path } = projectFolder({ 'sessions/x.txt': '' });
  await writeSessions(join(path, 'sessions'), MEGABYTES);
  const env = { ...cliEnv(), HOME: path, NODE_OPTIONS: `--max-old-space-size=${HEAP}` };
  const { stdout, code } = await runCliApart(['replay', 'sessions', '--last', '5'], { cwd: path, env });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('ask_before_sudo') });
});
