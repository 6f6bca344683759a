import type { AnyHook, Hook } from '@spec/hooks';
import { describe, expectTypeOf, test } from 'vitest';
import { limitMessages, logToolCalls, redact, stampMetadata, type ToolCallEntry } from './index.ts';

describe('the ids are literal, so that prompts can be checked against them', () => {
  test('by default', () => {
    expectTypeOf(limitMessages(20)).toEqualTypeOf<Hook<'filter_messages', 'limit_to_20_messages'>>();
    expectTypeOf(stampMetadata()).toEqualTypeOf<Hook<'before_create_message', 'stamp_metadata'>>();
    expectTypeOf(redact()[0].id).toEqualTypeOf<'redact_message'>();
    expectTypeOf(redact()[4]).toEqualTypeOf<Hook<'prefilter_llm_history', 'redact_history'>>();
    expectTypeOf(logToolCalls({ sink: () => undefined })[1].id).toEqualTypeOf<'log_tool_calls_failure'>();
  });

  test('and given', () => {
    expectTypeOf(limitMessages(5, { id: 'short' }).id).toEqualTypeOf<'short'>();
    redact({ kinds: ['iban', 'national_id', 'card', 'email', 'phone', 'secret', 'date_of_birth'] });
    expectTypeOf(redact({ id: 'pci', kinds: ['card'] })[2].id).toEqualTypeOf<'pci_tool_result'>();
    expectTypeOf(redact({ id: 'pci', restore: 'tools' })[5]).toEqualTypeOf<
      Hook<'before_tool_call', 'pci_tool_input'>
    >();
    expectTypeOf(redact({ restore: { to: 'tools', tools: ['charge'] } }))
      .toHaveProperty('length')
      .toEqualTypeOf<7>();
    expectTypeOf(
      redact({ restore: { to: 'tools', from: 'anywhere', into: { send: ['to'], keep: '*' } } })[6],
    ).toEqualTypeOf<Hook<'before_user_message', 'redact_user_message'>>();
    // @ts-expect-error there is no such origin
    redact({ restore: { to: 'tools', from: 'tool' } });
    // @ts-expect-error a list of arguments, or '*'
    redact({ restore: { to: 'tools', into: { send: 'to' } } });
    expectTypeOf(redact({ kinds: ['card'] }))
      .toHaveProperty('length')
      .toEqualTypeOf<5>();
    expectTypeOf(logToolCalls({ sink: () => undefined, id: 'audit' })[0].id).toEqualTypeOf<'audit_success'>();
  });
});

test('all of them fit where hooks are listed', () => {
  const hooks: readonly AnyHook[] = [
    ...redact(),
    ...redact({ id: 'pci', restore: 'tools' }),
    limitMessages(5),
    ...logToolCalls({ sink: () => undefined }),
    stampMetadata(),
  ];
  expectTypeOf(hooks).toEqualTypeOf<readonly AnyHook[]>();
});

test('a sink is required, and gets an entry', () => {
  // @ts-expect-error a sink is required
  logToolCalls({});
  logToolCalls({ sink: (entry) => void expectTypeOf(entry).toEqualTypeOf<ToolCallEntry>() });
});

test('options are exact', () => {
  // @ts-expect-error there is no such kind
  redact({ kinds: ['cards'] });
  // @ts-expect-error only tools get values
  redact({ restore: 'model' });
  // @ts-expect-error there is no such option
  redact({ restore: { to: 'tools', tool: ['charge'] } });
  // @ts-expect-error there is no such country
  redact({ defaultCountry: 'Germany' });
  // @ts-expect-error there is no such field
  stampMetadata({ fields: ['flow'] });
  // @ts-expect-error there is no such option
  limitMessages(5, { keepsystem: true });
});
