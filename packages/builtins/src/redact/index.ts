// Redact: replaces personal data and secrets by placeholders, and puts them back for tools. Applications call only `redact`; it never stores an unencrypted value.

import {
  checkOptionNames,
  defineHook,
  type Hook,
  type HookToolCall,
  isForWriteOfAnother,
  type ThreadState,
} from '@spec/hooks';
import { createCleanTexts } from './clean-texts.ts';
import { listKeys } from './kept.ts';
import type { ThreadMemory } from './memory.ts';
import { type CheckedOptions, checkedOptions, optionNames, type RedactOptions } from './options.ts';
import type { Redactor } from './redactor.ts';
import { findGivenTo, hasPlaceholders, refuseUnrestorable, restoreCall } from './restore.ts';
import type { CheckedRestore, Restore } from './restore-options.ts';
import {
  concealDecision,
  notePerson,
  type Redaction,
  redactHistory,
  redactMessage,
  redactResult,
  redactSingle,
} from './subjects.ts';
import type { Seen } from './text.ts';
import { createThreads, type Threads } from './threads.ts';

export type { CustomPattern } from './detect/custom.ts';
export type { RedactKind } from './kinds.ts';
export type { RedactOptions } from './options.ts';
export type { PlaceholderFormat } from './placeholders.ts';
export type { Restore, RestoreInto, RestoreOptions } from './restore-options.ts';
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
  ...RestoringHooks<Id>,
];

type RestoringHooks<Id extends string> = readonly [
  Hook<'before_tool_call', `${Id}_tool_input`>,
  Hook<'before_user_message', `${Id}_user_message`>,
];

/**
 * Replaces payment cards, bank account numbers, national ids, e-mail addresses, telephone numbers, secrets, dates of birth and patterns
 * of your own by placeholders such as `[EMAIL_1]`, before a message, an edit or a tool result is stored, and once more before anything goes to the model.
 * A value has the same placeholder everywhere in a thread. With `restore`, tools get the values back, and so do the hooks and persons
 * who decide on their calls. All hooks block when they fail.
 *
 * @example createRuntime({ policies: redact({ defaultCountry: 'DE' }) })
 * @throws {DefinitionError} `bad_option`, naming the option; `bad_hook` for an id that is not snake_case.
 */
export function redact<const Id extends string = 'redact', const R extends Restore | undefined = undefined>(
  options?: RedactOptions<Id, R>,
): R extends undefined ? RedactHooks<Id> : RestoringRedactHooks<Id>;
export function redact<Id extends string>(
  options: RedactOptions<Id, Restore | undefined> = {},
): RedactHooks<Id> | RestoringRedactHooks<Id> {
  checkOptionNames('redact', options, optionNames);
  const id = (options.id ?? 'redact') as Id;
  const { redactor, key, maxThreads, restore, streaming } = checkedOptions(options);
  const threads = createThreads({
    ...{ valueKey: id, secret: key, maxThreads, restore },
    placeholders: redactor.placeholders,
  });
  const clean = createCleanTexts();
  const engine: Engine = {
    redactor,
    threads,
    streaming,
    within: (memory, seen) => ({ redactor, memory, clean, seen }),
  };
  const hooks = redactingHooks(id, engine);
  return restore === undefined ? hooks : [...hooks, ...restoringHooks(id, restore, engine)];
}

/** What the hooks of one `redact` share. */
interface Engine {
  readonly redactor: Redactor;
  readonly threads: Threads;
  readonly streaming: CheckedOptions['streaming'];
  /** The means for redacting a subject. */
  within(memory: ThreadMemory, seen: Seen): Redaction;
}

function redactingHooks<Id extends string>(id: Id, { threads, streaming, within }: Engine): RedactHooks<Id> {
  const onError = 'block';
  const named = <Part extends string>(part: Part): `${Id}_${Part}` => `${id}_${part}`;

  return [
    defineHook({
      hook: 'before_create_message',
      id: named('message'),
      onError,
      keeps: listKeys(id),
      ...streaming,
      execute: (state, message) =>
        threads.withMemory(state, (memory) =>
          redactMessage(message, within(memory, { origin: findOrigin(state, message) })),
        ),
    }),
    defineHook({
      hook: 'before_update_message',
      id: named('update'),
      onError,
      execute: (state, _id, updates) =>
        threads.withMemory(state, (memory) =>
          redactMessage(updates, within(memory, { origin: findOrigin(state, updates) })),
        ),
    }),
    defineHook({
      hook: 'before_store_tool_result',
      id: named('tool_result'),
      onError,
      execute: (state, call, result) =>
        threads.withMemory(state, (memory) =>
          redactResult(result, resultRedaction(within(memory, { origin: 'tool' }), call)),
        ),
    }),
    ...requestHooks(id, { threads, within }),
  ];
}

/** The hooks that see requests to the model. */
function requestHooks<Id extends string>(
  id: Id,
  { threads, within }: Pick<Engine, 'threads' | 'within'>,
): readonly [
  Hook<'after_system_message', `${Id}_system_message`>,
  Hook<'prefilter_llm_history', `${Id}_history`>,
] {
  const onError = 'block';
  return [
    defineHook<'after_system_message', string>({
      hook: 'after_system_message',
      id: `${id}_system_message`,
      onError,
      execute: (state, text) =>
        threads.withMemory(state, (memory) => redactSingle(text, within(memory, { origin: 'conversation' }))),
    }) as Hook<'after_system_message', `${Id}_system_message`>,
    defineHook<'prefilter_llm_history', string>({
      hook: 'prefilter_llm_history',
      id: `${id}_history`,
      onError,
      execute: (state, messages) =>
        threads.withMemory(state, (memory) => redactHistory(messages, within(memory, { origin: 'tool' }))),
    }) as Hook<'prefilter_llm_history', `${Id}_history`>,
  ];
}

/** Where a message comes from. Texts that hooks and tools write may come from a tool's result. */
function findOrigin(state: ThreadState, { role }: Record<string, unknown>): Seen['origin'] {
  return role === 'tool' || isForWriteOfAnother(state) ? 'tool' : 'conversation';
}

/** Searches a tool's answer for the values that the tool got, even if no detector would find them. */
function resultRedaction(redaction: Redaction, call: object): Redaction {
  const { redactor, memory, seen } = redaction;
  if (memory.vault === undefined) return redaction;
  return {
    ...redaction,
    seen: { ...seen, findGiven: findGivenTo(call as HookToolCall, { redactor, memory }) },
  };
}

/** The hooks that restore values for whoever decides on a call and for its tool, and remove them from the decision. */
function restoringHooks<Id extends string>(
  id: Id,
  rule: CheckedRestore,
  { redactor, threads, within }: Engine,
): RestoringHooks<Id> {
  const { match } = rule;
  return [
    defineHook<'before_tool_call', string>({
      hook: 'before_tool_call',
      id: `${id}_tool_input`,
      onError: 'block',
      ...(match === undefined ? {} : { match }),
      execute: async (state, call) =>
        hasPlaceholders(call, redactor)
          ? threads.withMemory(state, (memory) => refuseUnrestorable(call, { redactor, memory, rule }))
          : null,
      restore: async (state, call) =>
        hasPlaceholders(call, redactor)
          ? threads.withMemory(state, (memory) => restoreCall(call, { redactor, memory, rule }))
          : null,
      conceal: (state, call, decision) =>
        threads.withMemory(state, (memory) => {
          const findGiven = findGivenTo(call, { redactor, memory });
          const redaction = within(memory, { origin: 'tool', findGiven });
          return concealDecision(decision, { ...redaction, redactor: { ...redactor, detectors: [] } });
        }),
    }) as Hook<'before_tool_call', `${Id}_tool_input`>,
    defineHook<'before_user_message', string>({
      hook: 'before_user_message',
      id: `${id}_user_message`,
      onError: 'block',
      execute: (state, { content }) =>
        threads.withMemory(state, (memory) => notePerson(content, within(memory, { origin: 'person' }))),
    }) as Hook<'before_user_message', `${Id}_user_message`>,
  ];
}
