import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { defineHook } from '@spec/hooks';
import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { scriptedModel } from '@spec/runtime/testing';
import { expect, onTestFinished, test } from 'vitest';
import { type ProjectFolder, projectFolder } from './project-folder.ts';
import { startCli } from './run-cli.ts';

const guard = (match: string) => `import { defineHook } from '@spec/hooks';
export default defineHook({
  hook: 'before_tool_call',
  id: 'no_deletes',
  match: '${match}',
  execute: async () => ({ decision: 'deny', reason: 'Orders are not deleted here.' }),
});
`;

/** A project with a hook and a store in which that hook was passed over. */
async function makeProject(): Promise<ProjectFolder> {
  const project = projectFolder({ 'hooks/guard.mjs': guard('delete_*') });
  const runtime = createRuntime({
    store: sqliteStore({ path: `${project.path}/threads.db` }),
    policies: [
      defineHook({
        hook: 'before_tool_call',
        id: 'no_deletes',
        match: 'delete_*',
        execute: async () => null,
      }),
    ],
    models: { scripted: scriptedModel([{ toolCalls: [{ id: 'c1', name: 'get_order' }] }, 'Here it is.']) },
    tools: [defineTool({ name: 'get_order', execute: () => 'order 7' })],
    prompts: [definePrompt({ name: 'shop', tools: ['get_order'] })],
    agents: [defineAgent({ name: 'shop', prompt: 'shop' })],
  });
  const thread = await runtime.createThread({ agent: 'shop', id: 'order-7' });
  await thread.send('Where is it?');
  await runtime.close();
  return project;
}

interface Started {
  readonly url: string;
  readonly port: number;
  readonly child: ReturnType<typeof startCli>;
  nextLine(): Promise<string>;
}

async function startInspect(project: ProjectFolder, ...args: string[]): Promise<Started> {
  const child = startCli(['inspect', '--db', 'threads.db', '--json', ...args], { cwd: project.path });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const nextLine = async () => (await lines.next()).value as string;
  return { ...(JSON.parse(await nextLine()) as { url: string; port: number }), child, nextLine };
}

async function openSession(url: string) {
  const { origin, hash } = new URL(url);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const answer = await post('/api/session', { key: hash.slice('#key='.length) });
  const { token = '' } = (await answer.json()) as { token?: string };
  const authorization = `Bearer ${token}`;
  return {
    status: answer.status,
    get: async (path: string) =>
      (await fetch(origin + path, { headers: { authorization } })).json() as Promise<unknown>,
    ask: async (path: string, body: unknown) => {
      const found = await post(path, body, { authorization });
      return { status: found.status, body: (await found.json()) as Record<string, unknown> };
    },
  };
}

test('a link opens the store once, Enter prints another one, and an interrupt ends the command', async () => {
  const project = await makeProject();
  const { url, child, nextLine } = await startInspect(project, 'order-7');
  const { get } = await openSession(url);
  expect(await get('/api/about')).toMatchObject({ name: 'threads.db', showsContent: true, allows: [] });
  expect(await get('/api/threads')).toMatchObject({
    items: [{ id: 'order-7', newest: { text: 'Here it is.' } }],
  });
  const page = await fetch(new URL('/', url));
  expect(await page.text()).toContain('<div id="page">');
  expect((await openSession(url)).status).toBe(403);
  child.stdin.write('\n');
  const another = (await nextLine()).trim();
  expect([url, another].map((one) => new URL(one).pathname)).toEqual(['/t/order-7', '/t/order-7']);
  expect((await openSession(another)).status).toBe(200);
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([0, null]);
});

test('hooks of the project are those of now: listed with those that never ran, explained and run as edited', async () => {
  const project = await makeProject();
  const { url } = await startInspect(project, '--allow-run');
  const { get, ask } = await openSession(url);
  const other = guard('refund').replace('no_deletes', 'no_refunds');
  project.write('hooks/other.mjs', other.replace('match:', "onError: 'continue', match:"));
  const { hooks } = (await get('/api/hooks')) as {
    hooks: { id: string; sums: unknown; findings: unknown[] }[];
  };
  expect(hooks.map(({ findings }) => findings)).toEqual([
    [],
    [expect.objectContaining({ level: 'note', message: expect.stringContaining("onError: 'block'") })],
  ]);
  expect(hooks.map(({ id, sums }) => [id, sums !== null])).toEqual([
    ['no_deletes', true],
    ['no_refunds', false],
  ]);
  const { messages } = (await get('/api/threads/order-7/messages')) as {
    messages: { id: string; toolCalls: unknown }[];
  };
  const question = { thread: 'order-7', message: messages.find(({ toolCalls }) => toolCalls !== null)?.id };
  const before = await ask('/api/explain', question);
  expect(before.body).toMatchObject({
    hook: 'before_tool_call',
    rows: [
      {
        id: 'no_deletes',
        recorded: { outcome: 'skipped' },
        today: { runs: false, why: expect.stringContaining('delete_*') },
      },
      { id: 'no_refunds', recorded: null, today: { runs: false } },
    ],
  });
  project.write('hooks/guard.mjs', guard('get_*'));
  expect((await ask('/api/explain', question)).body).toMatchObject({
    rows: [{ id: 'no_deletes', recorded: { outcome: 'skipped' }, today: { runs: true } }, {}],
  });
  const rerun = (await ask('/api/rerun', question)).body;
  project.write('hooks/case.hooks.yaml', String(rerun.testCase));
  const tested = await project.cliApart(['test', '--json']);
  expect(JSON.parse(tested.stdout)).toMatchObject({
    cases: [{ name: 'before_tool_call of get_order', ok: true, decision: 'deny' }],
  });
  expect(rerun).toMatchObject({
    decision: 'deny',
    reason: 'Orders are not deleted here.',
    runs: [{ id: 'no_deletes', outcome: 'denied' }, {}],
  });
  project.write('hooks/guard.mjs', 'process.exit(3);');
  expect((await ask('/api/explain', question)).body).toMatchObject({ error: { code: 'hook_failed' } });
  expect(await get('/api/about')).toMatchObject({ allows: ['run'] });
});

test('a port that is in use, a wrong one and a store that is not there are told in a sentence', async () => {
  const project = await makeProject();
  const { port } = await startInspect(project);
  const cli = (...args: string[]) => project.cliApart(['inspect', ...args]);
  const taken = await cli('--db', 'threads.db', '--port', String(port));
  expect(taken).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Port ${port} is in use: name another one with --port.`),
  });
  const wrong = await cli('--db', 'threads.db', '--port', '99999999');
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--port must be a number from 1 to 65535'),
  });
  expect(await cli('--db', 'none.db')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no store none.db'),
  });
});

test('a conversation is opened by its id, or written as a page; what has no texts saves and answers none', async () => {
  const project = await makeProject();
  const { url } = await startInspect(project, 'order-7', '--allow-answers');
  expect(new URL(url).pathname).toBe('/t/order-7');
  const { get } = await openSession(url);
  expect(await get('/api/about')).toMatchObject({ allows: ['answers'] });
  expect(await get('/api/asks')).toEqual({ asks: [] });
  const cli = (...args: string[]) => project.cliApart(['inspect', '--db', 'threads.db', ...args]);
  const page = await cli('order-7', '--html');
  expect(page).toMatchObject({ code: 0, stdout: expect.stringContaining('Here it is.') });
  expect(page.stdout.trim()).toMatch(/^<!doctype html>[\s\S]*<\/html>$/);
  expect(await cli('--no-content', '--allow-answers')).toMatchObject({ code: 2 });
});

test('the address of a database is told without its password', async () => {
  const project = await makeProject();
  const db = 'postgres://agents:hunter2@127.0.0.1:1/agents';
  const { code, stdout, stderr } = await project.cliApart(['vacuum', '--db', db]);
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('127.0.0.1:1/agents is a database');
  expect(stdout + stderr).not.toContain('hunter2');
});
