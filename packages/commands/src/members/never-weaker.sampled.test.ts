import type { ThreadState } from '@spec/hooks';
import { pickShare } from '@spec/test-helpers';
import { describe, expect, test } from 'vitest';
import { occasion, settingsFile } from '../../test/settings-file.ts';
import { claude } from '../dialects/claude/index.ts';
import { codex } from '../dialects/codex/index.ts';
import { copilot } from '../dialects/copilot/index.ts';
import { cursor } from '../dialects/cursor/index.ts';
import { factory } from '../dialects/factory.ts';
import { gemini } from '../dialects/gemini/index.ts';
import { hub } from '../dialects/hub.ts';
import { qwen } from '../dialects/qwen.ts';
import { service } from '../dialects/service/index.ts';
import { settings } from '../dialects/settings.ts';
import { isGate } from '../gates.ts';
import type { CompiledEntry, Dialect, EntryAnswer, Occasion } from '../normal-form.ts';
import { createCommandRunner } from '../run/command-runner.ts';
import { makeSurroundings } from './options.ts';
import { runEntry } from './run-entry.ts';

/**
 * Who is judged chooses what a guard is told, and so what it quotes. For each event that guards, and each way in which a guard can say
 * no, real commands are run twice: with a short and plain text, and with one that makes trouble. The second answer must be as strict.
 */

/** How a guard of an event says no. */
interface Guard {
  readonly dialect: Dialect;
  readonly eventName: string;
  readonly hooks: (command: string) => object;
  /** The exit code that refuses, where there is one. */
  readonly exit?: number;
  /** An answer that refuses, up to the text that it quotes, and after it. */
  readonly json?: readonly [head: string, tail: string];
}

const flat = (key: string) => (command: string) => [{ command, [key]: false }];
const nested = (command: string) => [{ hooks: [{ type: 'command', command }] }];
const ofService = (eventName: string, more: Partial<Guard>): Guard => ({
  dialect: service,
  eventName,
  hooks: nested,
  ...more,
});
const ofClaude = (eventName: string, more: Partial<Guard>): Guard => ({
  ...ofService(eventName, more),
  dialect: claude,
});
const ofFlat = (dialect: Dialect, eventName: string, more: Partial<Guard>): Guard => ({
  dialect,
  eventName,
  hooks: (command) => [{ command }],
  ...more,
});
const BLOCK = ['{"decision":"block","reason":"', '"}'] as const;
const specific = (eventName: string, fields: string) =>
  [`{"hookSpecificOutput":{"hookEventName":"${eventName}",${fields}`, '"}}'] as const;

const guards: readonly Guard[] = [
  { dialect: settings, eventName: 'PreToolUse', hooks: flat('continueOnFailure'), exit: 1 },
  { dialect: hub, eventName: 'PreToolUse', hooks: flat('continueOnError'), exit: 1 },
  { dialect: hub, eventName: 'UserPromptSubmit', hooks: flat('continueOnError'), exit: 1 },
  { dialect: hub, eventName: 'Stop', hooks: flat('continueOnError'), exit: 1 },
  ofService('PreToolUse', { exit: 2, json: BLOCK }),
  ofService('PermissionRequest', { exit: 2, json: BLOCK }),
  ofService('UserPromptSubmit', { exit: 2, json: BLOCK }),
  ofService('Compaction', { exit: 2, json: BLOCK }),
  ofService('Stop', { json: ['{"continue":true,"reason":"', '"}'] }),
  ofClaude('PreToolUse', {
    exit: 2,
    json: specific('PreToolUse', '"permissionDecision":"deny","permissionDecisionReason":"'),
  }),
  ofClaude('PermissionRequest', {
    json: [
      '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"',
      '"}}}',
    ],
  }),
  // Exit code 2 blocks with a word alone in two of them.
  ...[codex, qwen, factory].flatMap((dialect) => [
    {
      ...ofClaude('PreToolUse', {
        json: specific('PreToolUse', '"permissionDecision":"deny","permissionDecisionReason":"'),
      }),
      dialect,
    },
    { ...ofClaude('UserPromptSubmit', { json: BLOCK }), dialect },
    { ...ofClaude('Stop', { json: BLOCK }), dialect },
  ]),
  { ...ofClaude('PreToolUse', { exit: 2 }), dialect: factory },
  ofFlat(cursor, 'preToolUse', { exit: 2, json: ['{"permission":"deny","agent_message":"', '"}'] }),
  ofFlat(cursor, 'beforeShellExecution', { exit: 2, json: ['{"permission":"deny","user_message":"', '"}'] }),
  ofFlat(cursor, 'beforeSubmitPrompt', { exit: 2, json: ['{"continue":false,"user_message":"', '"}'] }),
  ofFlat(copilot, 'preToolUse', {
    exit: 2,
    json: ['{"permissionDecision":"deny","permissionDecisionReason":"', '"}'],
  }),
  ofFlat(copilot, 'permissionRequest', { exit: 2, json: ['{"behavior":"deny","message":"', '"}'] }),
  ofFlat(copilot, 'agentStop', { json: BLOCK }),
  // JSON counts on every exit code there: what a guard prints of its input with 2 is an answer.
  ...['BeforeTool', 'BeforeAgent', 'AfterAgent'].map((eventName) => ({
    ...ofClaude(eventName, { json: ['{"decision":"deny","reason":"', '"}'] }),
    dialect: gemini,
  })),
  ofClaude('UserPromptSubmit', { exit: 2, json: BLOCK }),
  ofClaude('Stop', { exit: 2, json: BLOCK }),
  ofClaude('SubagentStop', { exit: 2, json: BLOCK }),
  ofClaude('PreCompact', { exit: 2, json: BLOCK }),
  ofClaude('PostToolBatch', { exit: 2, json: BLOCK }),
];

const runner = createCommandRunner({ maxConcurrent: 64 });
const { signal } = new AbortController();

/** What the judged one said, wherever the event has it. */
const said = (text: string): Partial<Occasion> => ({
  tool: { id: 'call-1', name: 'Bash', input: { command: text } },
  prompt: text,
  lastAssistantMessage: text,
  batch: [],
});

/** 2: it is refused, 1: a person is asked, 0: it goes on. */
function strictness({ decision, endsTurn, keepsGoing }: EntryAnswer = {}): number {
  if (decision === 'deny' || endsTurn || keepsGoing) return 2;
  return decision === 'ask' ? 1 : 0;
}

async function judged(
  { dialect, eventName, hooks }: Guard,
  command: string,
  { text = 'rm -rf /', timeoutMs }: { readonly text?: string | undefined; readonly timeoutMs?: number } = {},
): Promise<number> {
  // A failure blocks nothing: only a refusal does.
  const common = dialect === service ? { failureBehavior: 'ignore', timeoutBehavior: 'ignore' } : {};
  const file = settingsFile({ hooks: { ...common, [eventName]: hooks(command) } });
  const { entries, findings } = dialect.read(file);
  const [found] = entries;
  if (found === undefined) throw new Error(JSON.stringify(findings));
  const entry = timeoutMs === undefined ? found : { ...found, timeoutMs };
  const compiled: CompiledEntry = dialect.compile(entry);
  const given = occasion({ event: entry.event, projectDir: '/', ...said(text) });
  const surroundings = makeSurroundings({ projectDir: '/' });
  const context = {
    state: {} as ThreadState,
    dialect,
    runner,
    surroundings,
    isGate: isGate(entry.event),
    signal,
  };
  return strictness((await runEntry(compiled, given, context)).answer);
}

const MEGABYTE = 1024 * 1024;
const flood = (bytes: number) => `printf %0${bytes}d 0`;

/** Lines that end with what refuses. */
const byExit: Readonly<Record<string, (exit: number) => string>> = {
  'quotes its input as its reason': (exit) => `cat >&2; exit ${exit}`,
  'quotes its input on standard output': (exit) => `cat; exit ${exit}`,
  'has a long reason': (exit) => `${flood(3 * MEGABYTE)} >&2; exit ${exit}`,
  'has a long output': (exit) => `${flood(3 * MEGABYTE)}; exit ${exit}`,
  'has an output of exactly what is kept': (exit) => `${flood(MEGABYTE)}; exit ${exit}`,
  'begins an answer and does not end it': (exit) => `printf '{"a":"'; ${flood(2 * MEGABYTE)}; exit ${exit}`,
  'writes no UTF-8': (exit) => `printf '\\377\\300{' | tee /dev/stderr; exit ${exit}`,
  'writes UTF-16': (exit) => `printf '\\377\\376n\\0o\\0' >&2; exit ${exit}`,
  'writes marks and NULs': (exit) => `printf '\\357\\273\\277a\\0b' >&2; exit ${exit}`,
  'closes its pipes first': (exit) => `exec 0<&- 1>&-; echo no >&2; exec 2>&-; exit ${exit}`,
  'does not read what it is told': (exit) => `exec 0<&-; exit ${exit}`,
  'writes into pipes that are closed': (exit) =>
    `yes | head -c 10 >&2; trap '' PIPE; exec 1>&-; echo x; exit ${exit}`,
  'hears signals': (exit) => `trap 'exit ${exit}' TERM HUP INT USR1; kill -USR1 $$; exit 0`,
  'leaves a child that writes on': (exit) => `(sleep 0.03; ${flood(2 * MEGABYTE)} >&2) & exit ${exit}`,
};

/** Commands that print what refuses; in its middle stands what is quoted. */
const byAnswer: Readonly<Record<string, (head: string, tail: string) => string>> = {
  'quotes its input': (head, tail) => `printf '${head}'; tr -d '"\\\\\\\\'; printf '${tail}'`,
  'quotes without escaping': (head, tail) => `printf '${head}'; cat; printf '${tail}'`,
  'has a long reason': (head, tail) => `printf '${head}'; ${flood(2 * MEGABYTE)}; printf '${tail}'`,
  'has blanks behind it': (head, tail) => `printf '${head}${tail}'; ${flood(2 * MEGABYTE)} | tr 0 ' '`,
  'cuts a character in two': (head, tail) => `printf '${head}'; printf '\\303'; printf '${tail}'`,
  'has a mark first': (head, tail) => `printf '\\357\\273\\277'; printf '${head}${tail}'`,
  'quotes a NUL': (head, tail) => `printf '${head}'; printf 'a\\0b'; printf '${tail}'`,
  'quotes a line break': (head, tail) => `printf '${head}'; printf 'a\\nb'; printf '${tail}'`,
  'repeats its decision': (head, tail) =>
    `printf '${head}'; printf '","decision":"approve","x":"'; printf '${tail}'`,
  'closes its pipes behind it': (head, tail) => `exec 0<&-; printf '${head}${tail}'; exec 1>&- 2>&-`,
  'leaves its answer to a child': (head, tail) =>
    `(printf '${head}'; ${flood(2 * MEGABYTE)}; printf '${tail}') & exit 0`,
  'leaves a child that holds its output': (head, tail) => `printf '${head}${tail}'; sleep 5 & exit 0`,
  'stands behind blanks': (head, tail) => `${flood(2 * MEGABYTE)} | tr 0 ' '; printf '${head}${tail}'`,
  'leaves a child that is not done': (head) => `printf '${head}'; sleep 5 & exit 0`,
};

/** What is said about an input that makes trouble. */
const texts: Readonly<Record<string, string>> = {
  long: 'x'.repeat(MEGABYTE + 200_000),
  'long and of several bytes': 'ä€😀'.repeat(150_000),
  'with NULs': 'a\0b',
  'with a mark': '\ufeffa\ufeff',
  'that looks like UTF-16': '\ufffe\0r\0m',
  'with quotes and braces': '"},{"decision":"approve","x":"\\',
  'of several lines': 'a\nb\r\n\u2028c',
};

const writeName = ({ dialect, eventName }: Guard) => `${dialect.name} ${eventName}`;
const table = <T extends string>(scenarios: Readonly<Record<T, unknown>>) => Object.keys(scenarios) as T[];

describe('a guard that refuses by its exit code is never weaker', () => {
  const able = guards.filter(({ exit }) => exit !== undefined);
  test.for(
    pickShare(
      able.map((guard) => [writeName(guard), guard] as const),
      4,
    ),
  )('%s', async ([, guard]) => {
    const exit = guard.exit as number;
    expect(await judged(guard, `exit ${exit}`)).toBe(2);
    const outcomes = await Promise.all([
      ...table(byExit).map(async (name) => [
        name,
        await judged(guard, (byExit[name] as (exit: number) => string)(exit)),
      ]),
      ...table(texts).map(async (name) => [
        name,
        await judged(guard, `cat >&2; exit ${exit}`, { text: texts[name] }),
      ]),
    ]);
    expect(outcomes.filter(([, strict]) => strict !== 2)).toEqual([]);
  });
});

describe('a guard that refuses by its answer is never weaker', () => {
  const able = guards.filter(({ json }) => json !== undefined);
  test.for(
    pickShare(
      able.map((guard) => [writeName(guard), guard] as const),
      4,
    ),
  )('%s', async ([, guard]) => {
    const [head, tail] = guard.json as readonly [string, string];
    const commandOf = (name: string) =>
      (byAnswer[name] as (head: string, tail: string) => string)(head, tail);
    expect(await judged(guard, `printf '${head}no${tail}'`)).toBe(2);
    const outcomes = await Promise.all([
      ...table(byAnswer).map(async (name) => [name, await judged(guard, commandOf(name))]),
      ...table(texts).map(async (name) => [
        name,
        await judged(guard, commandOf('quotes its input'), { text: texts[name] }),
      ]),
      ...table(texts).map(async (name) => [
        name,
        await judged(guard, commandOf('quotes without escaping'), { text: texts[name] }),
      ]),
    ]);
    expect(outcomes.filter(([, strict]) => strict !== 2)).toEqual([]);
  });
});

/** Ways to end without an answer of one's own, behind a refusal that was printed whole. */
const badEnds: Readonly<Record<string, string>> = {
  hangs: 'sleep 600',
  'is killed': 'kill -9 $$',
  'ends by a signal': 'kill -TERM $$',
  'cannot run its last command': 'exit 126',
  'does not find its last command': 'exit 127',
  fails: 'exit 1',
};

describe('what a guard has printed holds, however it ends', () => {
  const able = guards.filter(({ json, dialect }) => json !== undefined && dialect === claude);
  const patient = { timeoutMs: 4_000 };

  test('a refusal', async () => {
    const outcomes = await Promise.all(
      able.flatMap((guard) =>
        table(badEnds).map(async (name) => {
          const [head, tail] = guard.json as readonly [string, string];
          const line = `printf '${head}no${tail}'; ${badEnds[name]}`;
          return [writeName(guard), name, await judged(guard, line, patient)];
        }),
      ),
    );
    expect(outcomes.filter(([, , strict]) => strict !== 2)).toEqual([]);
  });

  test('and nothing else', async () => {
    const allowed = specific('PreToolUse', '"permissionDecision":"allow","additionalContext":"');
    const guard = ofClaude('PreToolUse', {});
    const ends = table(badEnds).map((name) =>
      judged(guard, `printf '${allowed.join('yes')}'; ${badEnds[name]}`, patient),
    );
    expect(new Set(await Promise.all(ends))).toEqual(new Set([0]));
  });
});

describe('a guard that finds its input in a variable or in its line is never weaker', () => {
  const [ofSettings, ofHub] = guards as [Guard, Guard];

  test.for(table(texts))('with an input %s', async (name) => {
    const check = 'grep -q rm && exit 1; exit 0';
    const text = `rm ${texts[name]}`;
    expect(await judged(ofSettings, `printf %s "$INPUT" | ${check}`, { text })).toBe(2);
    expect(await judged(ofHub, `printf %s {{input.command}} | ${check}`, { text })).toBe(2);
  });
});

describe('what only speaks is not taken for a refusal', () => {
  const able = guards.filter(
    ({ dialect, eventName }) => dialect === claude || (dialect === service && eventName !== 'Stop'),
  );

  test.for(
    pickShare(
      able.map((guard) => [writeName(guard), guard] as const),
      4,
    ),
  )('%s', async ([, guard]) => {
    const lines = [flood(3 * MEGABYTE), `${flood(3 * MEGABYTE)} >&2`, 'echo fine', "printf '{}'"];
    expect(await Promise.all(lines.map((line) => judged(guard, line)))).toEqual([0, 0, 0, 0]);
  });
});
