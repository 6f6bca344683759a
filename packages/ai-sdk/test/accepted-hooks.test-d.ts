import { defineHook } from '@spec/hooks';
import type { Store } from '@spec/runtime';
import { expectTypeOf, test } from 'vitest';
import type { AiSdkOptions as Options } from '../src/index.ts';

const whole = defineHook({ hook: 'before_tool_call', id: 'whole', execute: async () => null });
const mark = defineHook({
  hook: 'before_create_message',
  id: 'mark',
  execute: async (_state, message) => message,
});
const told = defineHook({ hook: 'after_create_message', id: 'told', execute: async () => undefined });
const never = defineHook({ hook: 'after_thread_created', id: 'never', execute: async () => undefined });

test('hooks that run as documented compile, with a store and without', () => {
  expectTypeOf<{ hooks: [typeof whole] }>().toExtend<Options>();
  expectTypeOf<{ policies: [typeof whole]; store: Store }>().toExtend<Options>();
});

test('hooks that run in part compile where they are allowed, or where a store makes them whole', () => {
  expectTypeOf<{ hooks: [typeof mark] }>().not.toExtend<Options>();
  expectTypeOf<{ hooks: [typeof told] }>().not.toExtend<Options>();
  expectTypeOf<{ hooks: [typeof mark]; allowPartial: ['mark'] }>().toExtend<Options>();
  expectTypeOf<{ hooks: [typeof mark]; store: Store }>().toExtend<Options>();
});

test('hooks that never run compile only where they are allowed', () => {
  expectTypeOf<{ hooks: [typeof never] }>().not.toExtend<Options>();
  expectTypeOf<{ hooks: [typeof never]; store: Store }>().not.toExtend<Options>();
  expectTypeOf<{ hooks: [typeof never]; allowPartial: ['never'] }>().toExtend<Options>();
});
