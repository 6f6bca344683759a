import fc from 'fast-check';
import type { JsonObject } from 'type-fest';
import { describe, expect, test } from 'vitest';
import { compiledEntry, given, occasion, settingsFile, toolCall } from '../../../test/settings-file.ts';
import type { Dialect } from '../../normal-form.ts';
import { claudeEvents } from '../claude/events.ts';
import { claude } from '../claude/index.ts';
import { codex, codexVariant } from '../codex/index.ts';
import { copilotEvents } from '../copilot/events.ts';
import { copilot } from '../copilot/index.ts';
import { cursorEvents } from '../cursor/events.ts';
import { cursor } from '../cursor/index.ts';
import { factory, factoryVariant } from '../factory.ts';
import { geminiEvents } from '../gemini/events.ts';
import { gemini } from '../gemini/index.ts';
import { qwen, qwenVariant } from '../qwen.ts';
import { serviceEvents } from '../service/events.ts';
import { createService } from '../service/index.ts';

const service = createService({ environment: {} });
/** A dialect, and the event on which exit code 2 with a word denies. */
interface Tried {
  readonly name: string;
  readonly dialect: Dialect;
  readonly events: readonly string[];
  readonly guard?: string;
  readonly isFlat?: true;
}

const tried = (dialect: Dialect, events: object, more: Partial<Tried> = {}): Tried => ({
  name: dialect.name,
  dialect,
  events: Object.keys(events),
  ...more,
});
const dialects: readonly Tried[] = [
  tried(claude, claudeEvents, { guard: 'PreToolUse' }),
  tried(qwen, qwenVariant.events, { guard: 'PreToolUse' }),
  tried(factory, factoryVariant.events, { guard: 'PreToolUse' }),
  tried(codex, codexVariant.events, { guard: 'PreToolUse' }),
  tried(gemini, geminiEvents),
  tried(cursor, cursorEvents, { guard: 'preToolUse', isFlat: true }),
  tried(copilot, copilotEvents, { guard: 'preToolUse', isFlat: true }),
  tried(service, serviceEvents, { guard: 'PreToolUse' }),
];

const keys = fc.constantFrom(
  ...'matcher hooks type command timeout if args url prompt tool name tools paths enabled async once sequential env cwd bash exec linux timeoutSec failClosed loop_limit __proto__'.split(
    ' ',
  ),
);
const leaf = fc.oneof(
  fc.constantFrom('command', 'http', '*', '^(', '', 'Bash(git *)'),
  fc.jsonValue({ maxDepth: 1 }),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(keys, tie('tree'), { maxKeys: 5 }),
  ),
}));

describe.each(dialects)('$name', ({ dialect, events, guard, isFlat }) => {
  const file = fc.dictionary(fc.oneof(fc.constantFrom(...events), fc.string()), tree, { maxKeys: 4 });

  test('reads whatever is in a file without throwing; each entry has a place of its own', () => {
    fc.assert(
      fc.property(file, (hooks) => {
        const parsed = settingsFile({ hooks });
        dialect.recognises(parsed.content as JsonObject);
        const { entries } = dialect.read(parsed);
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
        for (const entry of entries) {
          expect(entry.timeoutMs).toBeGreaterThan(0);
          try {
            const compiled = dialect.compile(entry);
            compiled.invocation(toolCall('Bash', { command: 'ls' }));
          } catch (error) {
            expect(error).toMatchObject({ name: 'DefinitionError', code: 'bad_matcher' });
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  const words = fc.constantFrom(
    ...'continue decision reason hookSpecificOutput hookEventName permissionDecision updatedInput systemMessage ok'.split(
      ' ',
    ),
  );
  const values = fc.oneof(
    fc.constantFrom('allow', 'deny', 'block', 'approve', ...events),
    fc.boolean(),
    fc.jsonValue(),
  );
  const said = fc.oneof(
    fc.string(),
    fc
      .dictionary(words, fc.oneof(values, fc.dictionary(words, values)))
      .map((value) => JSON.stringify(value)),
  );
  const command = { type: 'command', command: 'x' };
  const compiled = new Map(
    events.map((name) => [
      name,
      compiledEntry(dialect, { [name]: [isFlat ? command : { hooks: [command] }] }),
    ]),
  );

  test('reads whatever a command says without throwing, and exit code 2 before a tool denies', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...events),
        fc.nat(255),
        said,
        fc.string(),
        (event, code, stdout, stderr) => {
          const answer = compiled.get(event)?.answer(given(code, stdout, stderr), occasion());
          expect(answer).toBeDefined();
          if (guard === undefined) return;
          const refused = compiled.get(guard)?.answer(given(2, stdout, `no ${stderr}`), occasion());
          expect(refused).toMatchObject({ decision: 'deny' });
        },
      ),
      { numRuns: 400 },
    );
  });

  test('reads bytes that are no text without throwing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...events), fc.uint8Array(), fc.uint8Array(), (event, stdout, stderr) => {
        for (const exitCode of [0, 1, 2])
          compiled.get(event)?.answer({ exitCode, stdout, stderr }, occasion());
      }),
    );
  });
});
