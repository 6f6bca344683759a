import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compiledEntry, given, occasion } from '../../../test/settings-file.ts';
import type { CompiledEntry, Dialect, EntryAnswer } from '../../normal-form.ts';
import { claude } from '../claude/index.ts';
import { codex } from '../codex/index.ts';
import { copilot } from '../copilot/index.ts';
import { cursor } from '../cursor/index.ts';
import { factory } from '../factory.ts';
import { gemini } from '../gemini/index.ts';
import { qwen } from '../qwen.ts';
import { createService } from '../service/index.ts';

/** A refusal of an event that guards, as the format writes it, and where its word stands. */
interface Refusal {
  readonly dialect: Dialect;
  readonly eventName: string;
  readonly said: object;
  readonly word: readonly string[];
  readonly handler?: object;
}

type Fields = Record<string, unknown>;

const service = createService({ environment: {} });
const at = (word: string, value: unknown, more: object = {}): Pick<Refusal, 'said' | 'word'> => {
  const path = word.split('.');
  const said = path.reduceRight<unknown>(
    (inner, key, i) => ({ [key]: inner, ...(i === path.length - 1 ? more : {}) }),
    value,
  );
  return { said: said as object, word: path };
};
const specific = (eventName: string, word: string, value: unknown): Pick<Refusal, 'said' | 'word'> => {
  const { said, word: path } = at(`hookSpecificOutput.${word}`, value);
  const inner = (said as { hookSpecificOutput: object }).hookSpecificOutput;
  return { said: { hookSpecificOutput: { hookEventName: eventName, ...inner } }, word: path };
};
const MODEL = { type: 'prompt', prompt: 'Fine?' };

const ofClaude = [claude, codex, qwen, factory].flatMap((dialect): Refusal[] => [
  { dialect, eventName: 'PreToolUse', ...at('decision', 'block', { reason: 'r' }) },
  { dialect, eventName: 'PreToolUse', ...specific('PreToolUse', 'permissionDecision', 'deny') },
  { dialect, eventName: 'PreToolUse', ...specific('PreToolUse', 'permissionDecision', 'ask') },
  { dialect, eventName: 'PreToolUse', ...at('continue', false, { stopReason: 'r' }) },
  { dialect, eventName: 'UserPromptSubmit', ...at('decision', 'block', { reason: 'r' }) },
  { dialect, eventName: 'UserPromptSubmit', ...at('continue', false) },
]);
const refusals: readonly Refusal[] = [
  ...ofClaude,
  { dialect: qwen, eventName: 'PreToolUse', ...at('decision', 'ask') },
  ...[claude, codex, qwen].map((dialect) => ({
    dialect,
    eventName: 'PermissionRequest',
    ...specific('PermissionRequest', 'decision.behavior', 'deny'),
  })),
  { dialect: claude, eventName: 'PreCompact', ...at('decision', 'block') },
  { dialect: codex, eventName: 'PreCompact', ...at('continue', false) },
  { dialect: claude, eventName: 'PreToolUse', ...at('ok', false, { reason: 'r' }), handler: MODEL },
  { dialect: claude, eventName: 'PreToolUse', ...at('decision', 'block'), handler: MODEL },
  ...['BeforeTool', 'BeforeAgent'].flatMap((eventName) => [
    { dialect: gemini, eventName, ...at('decision', 'deny', { reason: 'r' }) },
    { dialect: gemini, eventName, ...at('continue', false) },
  ]),
  { dialect: gemini, eventName: 'BeforeTool', ...at('decision', 'ask') },
  ...['preToolUse', 'beforeShellExecution', 'beforeReadFile'].flatMap((eventName) => [
    { dialect: cursor, eventName, ...at('permission', 'deny', { agent_message: 'r' }) },
    { dialect: cursor, eventName, ...at('permission', 'ask') },
    { dialect: cursor, eventName, ...at('decision', 'block') },
    { dialect: cursor, eventName, ...specific(eventName, 'permissionDecision', 'deny') },
  ]),
  { dialect: cursor, eventName: 'beforeSubmitPrompt', ...at('continue', false) },
  ...['preToolUse', 'PreToolUse'].flatMap((eventName) => [
    { dialect: copilot, eventName, ...at('permissionDecision', 'deny') },
    { dialect: copilot, eventName, ...at('permissionDecision', 'ask') },
    { dialect: copilot, eventName, ...specific(eventName, 'permissionDecision', 'deny') },
  ]),
  { dialect: copilot, eventName: 'permissionRequest', ...at('behavior', 'deny', { message: 'm' }) },
  {
    dialect: copilot,
    eventName: 'permissionRequest',
    ...specific('permissionRequest', 'decision.behavior', 'deny'),
  },
  ...['PreToolUse', 'PermissionRequest', 'UserPromptSubmit', 'Compaction'].flatMap((eventName) => [
    { dialect: service, eventName, ...at('decision', 'block', { reason: 'r' }) },
    { dialect: service, eventName, ...specific(eventName, 'permissionDecision', 'deny') },
  ]),
  { dialect: service, eventName: 'PreToolUse', ...at('permissionDecision', 'ask') },
  { dialect: service, eventName: 'Compaction', ...at('continue', false) },
  { dialect: service, eventName: 'Compaction', ...at('hookSpecificOutput.continue', false) },
];

function compiled({ dialect, eventName, handler }: Refusal): CompiledEntry {
  const hook = handler ?? { type: 'command', command: 'x' };
  const isFlat = dialect === cursor || dialect === copilot;
  return compiledEntry(dialect, { [eventName]: [isFlat ? { command: 'x' } : { hooks: [hook] }] });
}

/** 2: it is refused, 1: a person is asked, 0: it goes on. */
function strictness({ decision, endsTurn }: EntryAnswer): number {
  if (decision === 'deny' || endsTurn) return 2;
  return decision === 'ask' ? 1 : 0;
}

const KEYS =
  'decision permissionDecision permission behavior continue ok reason stopReason message interrupt hookEventName hookSpecificOutput permissionDecisionReason updatedInput modifiedArgs updated_input tool_input additionalContext systemMessage agent_message user_message suppressOutput type async other';
const WORDS = 'allow approve deny block ask defer PreToolUse PostToolUse progress r';
const HOLDERS = [[], ['hookSpecificOutput'], ['hookSpecificOutput', 'decision'], ['decision']];
const REMOVED = Symbol('removed');

const change = fc.record({
  holder: fc.constantFrom<readonly string[]>(...HOLDERS),
  key: fc.constantFrom(...KEYS.split(' ')),
  value: fc.oneof(
    fc.constantFrom<unknown>(...WORDS.split(' '), true, false, null, REMOVED, {}, { behavior: 'allow' }),
    fc.jsonValue({ maxDepth: 2 }),
  ),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const findHolder = (said: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, step) => (inner as Fields | null | undefined)?.[step], said);
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The answer with another field beside the word; the word and what holds it stay. */
function changed({ said, word }: Refusal, changes: readonly Change[]): object {
  const copy = structuredClone(said);
  for (const { holder, key, value } of changes) {
    const path = [...holder, key];
    if (path.every((step, i) => step === word[i])) continue;
    const object = findHolder(copy, holder);
    if (!isObject(object)) continue;
    if (value === REMOVED) Reflect.deleteProperty(object, key);
    else object[key] = structuredClone(value); // The next change may go into it, and the next run has it again.
  }
  return copy;
}

describe('a refusal holds whatever else stands in the answer', () => {
  test.each(
    refusals.map(
      (refusal) =>
        [
          `${refusal.dialect.name} ${refusal.eventName} ${JSON.stringify(refusal.said)}`,
          compiled(refusal),
          refusal,
        ] as const,
    ),
  )('%s', (_, entry, refusal) => {
    const judge = (said: object): number => strictness(entry.answer(given(0, said), occasion()));
    const least = judge(refusal.said);
    expect(least).toBeGreaterThan(0);
    for (const holder of HOLDERS.filter((path) => isObject(findHolder(refusal.said, path))))
      for (const key of KEYS.split(' '))
        for (const value of [5, 'allow', 'progress', REMOVED, { behavior: 'allow' }]) {
          const said = changed(refusal, [{ holder, key, value }]);
          expect([said, judge(said) >= least]).toEqual([said, true]);
        }
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 4 }),
        (changes) => judge(changed(refusal, changes)) >= least,
      ),
      { numRuns: 30 },
    );
  });

  test('and is given its reason', () => {
    const entry = compiled({ dialect: claude, eventName: 'PreToolUse', said: {}, word: [] });
    const said = { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no name' } };
    expect(entry.answer(given(0, said), occasion())).toEqual({
      decision: 'deny',
      reason: 'no name',
      failure: {
        effect: 'onInvalidOutput',
        why: expect.stringContaining('hookSpecificOutput.hookEventName'),
      },
    });
  });
});
