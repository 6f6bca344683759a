import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnyHook, defineHook } from '@spec/hooks';
import { expect, test } from 'vitest';
import { agents, createAgentHost } from '../src/index.ts';

/** Payloads that real programs sent, one file each: `<agent>-<event>.json`. */
const folder = join(import.meta.dirname, '../../../../shared/agents/payloads');
const recorded = existsSync(folder) ? readdirSync(folder) : [];
if (recorded.length === 0) console.log(`skipped: no recorded payloads in ${folder}`);

const denies: AnyHook[] = [
  defineHook({ hook: 'before_tool_call', id: 'no_tools', execute: async () => ({ decision: 'deny' }) }),
  defineHook({ hook: 'before_user_message', id: 'no_prompts', execute: async () => ({ decision: 'deny' }) }),
  defineHook({
    hook: 'before_permission_request',
    id: 'no_permission',
    execute: async () => ({ decision: 'deny' }),
  }),
];

const cases = agents.flatMap((agent) =>
  recorded
    .filter((file) => file.startsWith(`${agent.name}-`))
    .map((file) => ({ agent, file, event: (/-([^-]+)(?:-.*)?\.json$/.exec(file) ?? [])[1] ?? '' })),
);

if (recorded.length === 0) test.skip('recorded payloads', () => {});

test.for(cases)('$file is read, and denied where it is guarded', async (one) => {
  const { agent, file, event } = one;
  const allowPartial = denies.map(({ id }) => id);
  const host = createAgentHost({ agent, policies: denies, allowPartial });
  const input = readFileSync(join(folder, file), 'utf8');
  const { stdout, stderr, code } = await host.answer({ event, input });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  const isGuarded = host.guardedEvents.includes(event);
  if (isGuarded) expect(stdout).toMatch(/"deny"|"block"/);
  else expect(stdout).toBe('');
  expect(stdout).not.toContain('Nobody has judged this');
});
