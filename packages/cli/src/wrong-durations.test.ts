// A duration that is written in another way is refused everywhere with the form that fits.
import { cacheModelCalls } from '@spec/builtins';
import { loadSettings } from '@spec/commands';
import { createExecutor, type Duration, defineHook } from '@spec/hooks';
import { loadHooks } from '@spec/hooks/node';
import { runHook, virtualClock } from '@spec/hooks/testing';
import { createRules } from '@spec/rules';
import { createRuntime, definePrompt } from '@spec/runtime';
import { mcpServer } from '@spec/runtime/mcp';
import { scriptedModel } from '@spec/runtime/testing';
import { uiMessageStreamResponse } from '@spec/runtime/ui-stream';
import { describe, expect, test } from 'vitest';

const quiet = { hook: 'after_notification', id: 'quiet', execute: async () => {} } as const;
const handlers = { onSwap: () => {}, onRefused: () => {} };
const runtimeOptions = {
  agents: [{ name: 'a', prompt: 'p' }],
  prompts: [{ name: 'p' }],
  models: { m: scriptedModel([]) },
};

/** By the option that takes it. */
const calls: Readonly<Record<string, (duration: Duration) => unknown>> = {
  'Hook "quiet": timeout': (timeout) => defineHook({ ...quiet, timeout }),
  timeout: (timeout) => createExecutor({ timeout }),
  'loadHooks: timeout': (timeout) => loadHooks('.', { timeout }),
  'loadHooks: interval': (interval) => loadHooks('.', { watch: true, interval, ...handlers }),
  'The time of a virtual clock': (duration) => virtualClock().advance(duration),
  'runHook timeout': (timeout) => runHook.with({ timeout })(defineHook(quiet), { kind: 'k', message: 'm' }),
  'rules: deadline': (deadline) => createRules([], { deadline }),
  'loadSettings: interval': (interval) => loadSettings([], { watch: true, interval, ...handlers }),
  'cacheModelCalls: expires': (expires) => cacheModelCalls({ expires }),
  'createRuntime timeout': (timeout) => createRuntime({ ...runtimeOptions, timeout }),
  lease: (lease) => createRuntime({ ...runtimeOptions, lease }),
  'ledger.keep': (keep) => createRuntime({ ...runtimeOptions, ledger: { keep } }),
  olderThan: (olderThan) => createRuntime(runtimeOptions).ledger.prune({ olderThan }),
  'retry: maxDelay': (maxDelay) => definePrompt({ name: 'p', retry: { maxDelay } }),
  'The MCP server "m": timeout': (timeout) => mcpServer({ name: 'm', command: 'true', timeout }),
  keepAlive: (keepAlive) => uiMessageStreamResponse(new ReadableStream(), { keepAlive }),
};

const forms: readonly (readonly [given: string, meant: string])[] = [
  ['5 sec', '"5s"'],
  ['2 Minutes', '"2m"'],
  ['1h30m', '"90m"'],
  ['5S', '"5s"'],
  ['250 msec', '"250ms"'],
  ['5', '5 or "5s"'],
];

describe('a duration in another form', () => {
  test.each(Object.entries(calls))('is refused, with the form that fits: %s', async (option, call) => {
    const name = option.split(' ').at(-1) ?? '';
    for (const [given, meant] of forms)
      await expect(async () => call(given as Duration)).rejects.toThrow(
        new RegExp(`${name} must be a duration .+such as "5s"; got "${given}"\\. Did you mean ${meant}\\?$`),
      );
    await expect(async () => call('soon' as Duration)).rejects.toThrow(/got "soon"\.$/);
    for (const given of [-1, Number.NaN, {}])
      await expect(async () => call(given as Duration)).rejects.toThrow(/must be a duration .+; got .+\.$/);
  });
});
