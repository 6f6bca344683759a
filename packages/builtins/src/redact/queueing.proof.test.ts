import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { type AnyTool, defineTool, type Thread } from '@spec/runtime';
import type { ScriptedStep } from '@spec/runtime/testing';
import { bundleProgram } from '@spec/test-helpers/bundle-program';
import { afterEach, expect, test } from 'vitest';
import { memories, startShared } from '../../test/queueing-process.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'queueing-'));
  folders.push(folder);
  return folder;
}

/** What a process was refused that queues messages of its own. */
async function queueElsewhere(path: string, kind: string, name: string): Promise<string[]> {
  const program = await bundleProgram(new URL('../../test/queueing-process.ts', import.meta.url), {
    external: ['better-sqlite3'],
  });
  const child = spawn(execPath, [program, path, kind, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(child.stdout)) as string[];
}

const placeholder = /\[EMAIL_\d+\]/g;

/** By placeholder, whose address it stands for in the messages "From anna: …". */
function ownersIn(contents: readonly string[]): Map<string, Set<string>> {
  const owners = new Map<string, Set<string>>();
  for (const content of contents)
    for (const [, owner = ''] of content.matchAll(/From (\w+):/g))
      for (const [found] of content.matchAll(placeholder))
        owners.set(found, (owners.get(found) ?? new Set()).add(owner));
  return owners;
}

/** Its tool `wait` runs while others queue, and injects new values meanwhile; `mail` is called with every placeholder. */
function startBusy(path: string, kind: string) {
  const refused: string[] = [];
  const given = new Map<string, string>();
  let thread: Thread | undefined;
  const wait: AnyTool = defineTool({
    name: 'wait',
    execute: async () => {
      let isOver = false;
      const others = Promise.all(['bob', 'carl'].map((name) => queueElsewhere(path, kind, name))).finally(
        () => {
          isOver = true;
        },
      );
      for (let count = 0; !isOver; count++) {
        const content = `From me${count}: me${count}@example.com`;
        await thread?.inject({ role: 'user', content });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      refused.push(...(await others).flat());
      return 'From result: result@example.com';
    },
  });
  const mail: AnyTool = defineTool({
    name: 'mail',
    execute: (input) => {
      const { of, to } = input as { of: string; to: string };
      given.set(`[${of}]`, to);
    },
  });
  const mailAll: ScriptedStep = ({ prompt }) => {
    const all = [...new Set(JSON.stringify(prompt).match(placeholder))];
    return { toolCalls: all.map((one) => ({ name: 'mail', input: { of: one.slice(1, -1), to: one } })) };
  };
  const script: ScriptedStep[] = [{ toolCalls: [{ name: 'wait', input: {} }] }, mailAll, 'Done.'];
  const runtime = startShared({ path, kind, script, tools: [wait, mail] });
  const begin = async (): Promise<Thread> => {
    thread = await runtime.createThread({ agent: 'main', id: 'shared' });
    await thread.send('From anna: anna@example.com');
    return thread;
  };
  return { runtime, begin, refused, given };
}

test.each(Object.keys(memories))(
  'messages with new values are queued from other processes while a turn runs, with %s',
  { timeout: 120_000 },
  async (kind) => {
    const folder = newFolder();
    const { runtime, begin, refused, given } = startBusy(join(folder, 'threads.db'), kind);
    try {
      const thread = await begin();
      expect(refused).toEqual([]);
      const contents = (await thread.messages()).map(({ content }) => content ?? '');
      const owners = ownersIn(contents);
      for (const [found, names] of owners)
        expect([found, [...names]]).toEqual([found, [...names].slice(0, 1)]);
      const known = new Set([...owners.values()].flatMap((names) => [...names]));
      for (const name of ['bob', 'carl'])
        for (let count = 0; count < 12; count++)
          expect(known).toContain(count % 4 === 0 ? 'anna' : `${name}${count}`);
      const annas = [...owners].filter(([, names]) => names.has('anna'));
      if (kind.includes('a key')) expect(annas).toHaveLength(1);
      const isOwn = (name: string): boolean => name.startsWith('me') || name === 'result';
      for (const [found, [owner = '']] of owners)
        if (kind === 'restore with a key' || (kind === 'restore in memory' && isOwn(owner)))
          expect([found, given.get(found)]).toEqual([found, `${owner}@example.com`]);
      for (const name of readdirSync(folder))
        expect(readFileSync(join(folder, name), 'latin1')).not.toContain('@example.com');
    } finally {
      await runtime.close();
    }
  },
);
