import fc from 'fast-check';
import type { JsonObject } from 'type-fest';
import { describe, expect, test } from 'vitest';
import { compiledEntry, given, occasion, settingsFile, toolCall } from '../../../test/settings-file.ts';
import type { Dialect } from '../../normal-form.ts';
import { claudeEvents } from '../claude/events.ts';
import { claude } from '../claude/index.ts';
import { serviceEvents } from '../service/events.ts';
import { createService } from '../service/index.ts';

const service = createService({ environment: {} });
const dialects: readonly { name: string; dialect: Dialect; events: readonly string[] }[] = [
  { name: 'claude', dialect: claude, events: Object.keys(claudeEvents) },
  { name: 'service', dialect: service, events: Object.keys(serviceEvents) },
];

const keys = fc.constantFrom(
  ...'matcher hooks type command timeout if args url prompt tool name tools paths enabled async once __proto__'.split(
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

describe.each(dialects)('$name', ({ dialect, events }) => {
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
      { numRuns: 400 },
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
  const compiled = new Map(
    events.map((name) => [
      name,
      compiledEntry(dialect, { [name]: [{ hooks: [{ type: 'command', command: 'x' }] }] }),
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
          expect(compiled.get('PreToolUse')?.answer(given(2, stdout, stderr), occasion())).toMatchObject({
            decision: 'deny',
          });
        },
      ),
      { numRuns: 1_000 },
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
