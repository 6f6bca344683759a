import { defineHook, type Hook } from '@spec/hooks';
import { createCleanTexts } from './clean-texts.ts';
import type { ThreadMemory } from './memory.ts';
import { checkedOptions, type RedactOptions } from './options.ts';
import type { Redactor } from './redactor.ts';
import { hasPlaceholders, refuseLost, restoreCall } from './restore.ts';
import type { CheckedRestore, Restore } from './restore-options.ts';
import { type Redaction, redactHistory, redactMessage, redactResult, redactSingle } from './subjects.ts';
import { createThreads, type Threads } from './threads.ts';

export type { CustomPattern } from './detect/custom.ts';
export type { RedactKind, RedactOptions } from './options.ts';
export type { PlaceholderFormat } from './placeholders.ts';
export type { Restore, RestoreOptions } from './restore-options.ts';
export type { RestoreKey } from './seal.ts';

/** The hooks of one `redact`, in the order in which a message meets them. */
export type RedactHooks<Id extends string = 'redact'> = readonly [
  Hook<'before_create_message', `${Id}_message`>,
  Hook<'before_update_message', `${Id}_update`>,
  Hook<'before_store_tool_result', `${Id}_tool_result`>,
  Hook<'after_system_message', `${Id}_system_message`>,
  Hook<'prefilter_llm_history', `${Id}_history`>,
];

/** The hooks of a `redact` that puts values back. */
export type RestoringRedactHooks<Id extends string = 'redact'> = readonly [
  ...RedactHooks<Id>,
  Hook<'before_tool_call', `${Id}_tool_input`>,
];

/**
 * Replaces payment cards, bank account numbers, national ids, e-mail addresses, telephone numbers, secrets, dates of birth and patterns
 * of your own by placeholders such as `[EMAIL_1]`, before a message, an edit or a tool result is stored, and once more before anything goes to the model.
 * A value has the same placeholder everywhere in a thread. With `restore`, tools get the values back, after everybody who decides
 * on their calls has seen the placeholders. All hooks block when they fail.
 *
 * @example createRuntime({ policies: redact({ defaultCountry: 'DE' }) })
 * @throws {DefinitionError} `bad_option`, naming the option; `bad_hook` for an id that is not snake_case.
 */
export function redact<const Id extends string = 'redact', const R extends Restore | undefined = undefined>(
  options: RedactOptions<Id, R> = {},
): R extends undefined ? RedactHooks<Id> : RestoringRedactHooks<Id> {
  const id = (options.id ?? 'redact') as Id;
  const { redactor, key, maxThreads, restore } = checkedOptions(options);
  const threads = createThreads({ valueKey: id, secret: key, maxThreads, restore });
  const hooks = redactingHooks(id, redactor, threads);
  return (
    restore === undefined
      ? hooks
      : [...hooks, restoringHook(`${id}_tool_input`, restore, { redactor, threads })]
  ) as never;
}

function redactingHooks<Id extends string>(id: Id, redactor: Redactor, threads: Threads): RedactHooks<Id> {
  const clean = createCleanTexts();
  const onError = 'block';
  const within = (memory: ThreadMemory): Redaction => ({ redactor, memory, clean });
  const named = <Part extends string>(part: Part): `${Id}_${Part}` => `${id}_${part}`;

  return [
    defineHook({
      hook: 'before_create_message',
      id: named('message'),
      onError,
      execute: (state, message) =>
        threads.withMemory(state, (memory) => redactMessage(message, within(memory))),
    }),
    defineHook({
      hook: 'before_update_message',
      id: named('update'),
      onError,
      execute: (state, _id, updates) =>
        threads.withMemory(state, (memory) => redactMessage(updates, within(memory))),
    }),
    defineHook({
      hook: 'before_store_tool_result',
      id: named('tool_result'),
      onError,
      execute: (state, _call, result) =>
        threads.withMemory(state, (memory) => redactResult(result, within(memory))),
    }),
    defineHook({
      hook: 'after_system_message',
      id: named('system_message'),
      onError,
      execute: (state, text) => threads.withMemory(state, (memory) => redactSingle(text, within(memory))),
    }),
    defineHook({
      hook: 'prefilter_llm_history',
      id: named('history'),
      onError,
      execute: (state, messages) =>
        threads.withMemory(state, (memory) => redactHistory(messages, within(memory))),
    }),
  ];
}

/** Puts values back when a call was decided on; before that it only looks whether it will be able to. */
function restoringHook<Id extends string>(
  id: Id,
  { match }: CheckedRestore,
  { redactor, threads }: { readonly redactor: Redactor; readonly threads: Threads },
): Hook<'before_tool_call', Id> {
  return defineHook<'before_tool_call', string>({
    hook: 'before_tool_call',
    id,
    onError: 'block',
    ...(match === undefined ? {} : { match }),
    execute: async (state, call) =>
      hasPlaceholders(call, redactor)
        ? threads.withMemory(state, (memory) => refuseLost(call, { redactor, memory }))
        : null,
    restore: async (state, call) =>
      hasPlaceholders(call, redactor)
        ? threads.withMemory(state, (memory) => restoreCall(call, { redactor, memory }))
        : null,
  }) as Hook<'before_tool_call', Id>;
}
