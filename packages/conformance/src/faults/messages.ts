import type { HookMessage, NewMessage } from '@spec/hooks';
import type { Trial } from '../subject.ts';
import { type Break, broken, type HookCall, inPlaceOf, stateWith, subjectOf } from './break.ts';
import type { Fault } from './fault.ts';

/** Faults in the way of messages: into the store, out of it, and to the model. */
export const messageFaults: readonly Fault[] = [
  {
    id: 'injected_skip_create_chain',
    says: 'Messages that are injected are stored without the create chain.',
    foundBy: ['messages.injected_passes_the_create_chain_once'],
    breaks: [
      'messages.injected_*',
      'messages.unknown_fields_survive_their_creation',
      'messages.ids_are_kept',
      'scope.a_message_injected_*',
      'invariants.hooks_*',
      'invariants.inject_message_begun_*',
      'invariants.execution_is_there_at_rest',
      'ledger.runs_at_rest_are_recorded',
    ],
    breakIt: (good) => broken(good, () => skippingCreation('inject', 'injectMessage')),
  },
  {
    id: 'queued_skip_create_chain',
    says: 'Messages that are queued are stored without the create chain.',
    foundBy: ['messages.queued_passes_the_create_chain_once'],
    breaks: [
      'messages.queued_*',
      'scope.a_queued_*',
      'crashes.keep_what_is_queued',
      'invariants.queue_message_begun_*',
    ],
    breakIt: (good) => broken(good, () => skippingCreation('queue', 'queueMessage')),
  },
  {
    id: 'child_messages_skip_create_chain',
    says: "A subagent's messages are stored without the create chain.",
    foundBy: ['messages.first_of_a_child_passes_the_create_chain_once'],
    breaks: [
      'streaming.text_of_a_subagent_*',
      'ledger.runs_inside_*',
      'scope',
      'subagents',
      'after_subagent_created',
    ],
    breakIt: (good) =>
      broken(good, () => ({
        hook: skipsCreationOf(async ({ state }) => (await state.getParentThread()) !== null),
      })),
  },
  {
    id: 'tool_messages_skip_create_chain',
    says: 'The messages that hold tool results are stored without the create chain.',
    foundBy: ['messages.result_passes_the_create_chain_once'],
    breaks: [
      'messages',
      'scope.a_tool_result_*',
      'before_create_message',
      'tool_results',
      'shapes',
      'crashes',
      'ledger.every_run_is_recorded_once',
      'ledger.runs_inside_*',
      'tools',
      'lifecycle',
    ],
    breakIt: (good) =>
      broken(good, () => ({ hook: skipsCreationOf(async (call) => subjectOf(call).role === 'tool') })),
  },
  {
    id: 'updates_are_not_observed',
    says: 'No after_update_message hook is called.',
    foundBy: ['after_update_message.gets_the_message_as_it_is_stored'],
    breaks: [
      'after_update_message',
      'before_update_message',
      'messages.edit_*',
      'invariants.execution_is_there_in_an_edit_at_rest',
      'ledger.every_run_of_control_hooks_and_edits_is_recorded_once',
    ],
    breakIt: (good) =>
      broken(good, () => ({ hook: inPlaceOf(['after_update_message'], async () => undefined) })),
  },
  {
    id: 'metadata_lost',
    says: 'Fields that the specification does not know are not stored.',
    foundBy: ['messages.metadata_is_kept_as_given', 'messages.unknown_fields_of_a_hook_are_kept'],
    breaks: [
      'messages.unknown_*',
      'before_create_message',
      'before_update_message.is_used_for_the_update',
      'tools.*stored*',
      'tool_results',
      'examples.add_execution_metadata',
    ],
    breakIt: (good) => broken(good, () => ({ trial: showing((messages) => messages.map(withKnownFields)) })),
  },
  {
    id: 'ids_changed',
    says: 'A stored message has another id than the one that its hooks saw.',
    foundBy: ['messages.ids_are_kept'],
    breaks: [
      'messages',
      'filter_messages.gets_the_messages_from_storage',
      'after_create_message',
      'before_update_message',
      'after_update_message',
    ],
    breakIt: (good) =>
      broken(good, () => ({
        trial: (trial) => ({
          messages: async () =>
            (await trial.messages()).map((message) => ({ ...message, id: `stored-${message.id}` })),
          update: async (id, updates) => trial.update?.(id.replace('stored-', ''), updates),
        }),
      })),
  },
  {
    id: 'results_out_of_order',
    says: 'The results of parallel tool calls are stored as they come, not in the order of the calls.',
    foundBy: ['tools.results_are_stored_in_call_order'],
    breaks: [
      'tools',
      'messages.calls_and_results_refer_to_each_other',
      'after_tool_call_success.keeps_parallel_calls_apart',
      'examples.alert_payment_failures',
      'decisions',
      'crashes',
      'invariants.abort_while_a_tool_runs',
    ],
    breakIt: (good) => broken(good, () => ({ trial: showing(withResultsReversed) })),
  },
  {
    id: 'text_streams_before_redaction',
    says: 'Text leaves before the hooks that may change it have seen it.',
    foundBy: ['streaming.text_is_held_back_from_a_hook_that_could_change_it'],
    breaks: ['streaming'],
    breakIt: (good) => broken(good, (setup) => ({ setup: { ...setup, stream: 'raw' } })),
  },
  {
    id: 'history_filtered_after_conversion',
    says: 'filter_messages gets the messages in the form that goes to the model, not as they are stored.',
    foundBy: ['filter_messages.gets_the_messages_from_storage'],
    breaks: [
      'filter_messages',
      'messages.unknown_fields_of_a_hook_are_kept',
      'messages.ids_are_unique_and_lead_to_the_message',
      'shapes.stored_messages_are_hook_messages',
    ],
    breakIt: (good) => broken(good, () => ({ hook: inPlaceOf(['filter_messages'], onConvertedMessages) })),
  },
  {
    id: 'history_reaches_storage',
    says: 'What prefilter_llm_history makes of a message is stored.',
    foundBy: ['examples.add_concise_reminder'],
    breaks: ['prefilter_llm_history'],
    breakIt: (good) => broken(good, storingTheHistory),
  },
];

const storedFields: ReadonlySet<string> = new Set([
  ...['id', 'role', 'content', 'name', 'tool_calls', 'tool_call_id', 'created_at', 'parent_id', 'depth'],
]);

function withKnownFields(message: HookMessage): HookMessage {
  return Object.fromEntries(
    Object.entries(message).filter(([field]) => storedFields.has(field)),
  ) as unknown as HookMessage;
}

function showing(
  change: (messages: readonly HookMessage[]) => readonly HookMessage[],
): (trial: Trial) => Partial<Trial> {
  return (trial) => ({ messages: async () => change(await trial.messages()) });
}

function withResultsReversed(messages: readonly HookMessage[]): HookMessage[] {
  const shown: HookMessage[] = [];
  let batchStart = 0;
  for (const message of messages) {
    if (message.role !== 'tool') batchStart = shown.length + 1;
    shown.splice(message.role === 'tool' ? batchStart : shown.length, 0, message);
  }
  return shown;
}

function skipsCreationOf(isSkipped: (call: HookCall) => Promise<boolean>): NonNullable<Break['hook']> {
  return inPlaceOf(['before_create_message', 'after_create_message'], async (call) =>
    (await isSkipped(call)) ? subjectOf(call) : call.execute(),
  );
}

/** Messages that come in by a way of the trial's or of the state's are known by their text. */
function skippingCreation(way: 'inject' | 'queue', ofState: 'injectMessage' | 'queueMessage'): Break {
  const texts = new Set<unknown>();
  const noting =
    <T>(write: (message: NewMessage) => Promise<T>) =>
    (message: NewMessage): Promise<T> => {
      texts.add(message.content);
      return write(message);
    };
  const creates = skipsCreationOf(async (call) => texts.has(subjectOf(call).content));
  const writes = inPlaceOf('all', async ({ state, executeWith }) =>
    executeWith(
      stateWith(state, { [ofState]: noting((message) => state[ofState](message) as Promise<never>) }),
    ),
  );
  return {
    hook: (hook, isPolicy) => creates(writes(hook, isPolicy), isPolicy),
    trial: (trial) => ({ [way]: noting(async (message) => trial[way]?.(message)) }),
  };
}

const bareFields = ['role', 'content', 'name', 'tool_calls', 'tool_call_id'] as const;

/** A stored message comes back for each one that is given back; new ones get what is missing. */
async function onConvertedMessages(call: HookCall): Promise<unknown> {
  const stored = new Map<unknown, HookMessage>();
  const bare = subjectOf<HookMessage[]>(call).map((message) => {
    const converted = Object.fromEntries(
      bareFields.filter((field) => field in message).map((field) => [field, message[field]]),
    );
    stored.set(converted, message);
    return converted;
  });
  const kept = await call.execute(bare);
  if (!Array.isArray(kept)) return kept;
  return kept.map((one: HookMessage, i) =>
    Object.assign({ id: `new-${i}`, created_at: 0 }, stored.get(one), one),
  );
}

function storingTheHistory(): Break {
  const rewritten = new Map<string, string>();
  return {
    hook: inPlaceOf(['prefilter_llm_history'], async (call) => {
      const before = subjectOf<Array<{ content: string | null }>>(call).map(({ content }) => content);
      const after = await call.execute();
      if (!Array.isArray(after) || after.length !== before.length) return after;
      after.forEach(({ content }: { content: string }, i) => {
        if (before[i] !== content) rewritten.set(before[i] as string, content);
      });
      return after;
    }),
    trial: showing((messages) =>
      messages.map((message) => ({
        ...message,
        content: rewritten.get(message.content ?? '') ?? message.content,
      })),
    ),
  };
}
