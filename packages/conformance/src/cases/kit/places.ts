import type {
  AnyHook,
  HookMessage,
  HookName,
  LifecycleName,
  LLMMessage,
  StandardSchema,
  ThreadState,
} from '@spec/hooks';
import type { Ability, FullTrial, Setup } from '../../subject.ts';
import { calling, onUntyped, tool } from './index.ts';

/** What a hook gets after the state. */
export type Args = readonly unknown[];

/** Where a hook runs, one of the specification unless said otherwise: how to get there, and how to see what came of it. */
export interface Place<Name extends LifecycleName = HookName> {
  readonly hook: Name;
  /** Of the specification. */
  readonly section: string;
  readonly needs?: readonly Ability[];
  /** What must be there besides the hooks. */
  readonly setup?: Setup;
  /** Makes the hook run on what this place is about. Where that is before the trial, the trial is all there is to do. */
  reach(trial: FullTrial): Promise<unknown>;
  /** Whether a call of the hook is the one that this place is about. */
  isHere?(args: Args, state: ThreadState): boolean;
}

/** A place whose hooks give the subject on; it begins with the text `base`. */
export interface ValuePlace extends Place {
  /** The subject with another text in it. */
  edit(args: Args, change: (text: string) => string): unknown;
  /** Changes the subject in place. */
  mutate(args: Args): void;
  /** The text as it took effect; `null` where it took none. */
  effect(trial: FullTrial): Promise<string | null>;
  /** What a failure does where the hook does not say: ends the chain, or goes on with the value so far. */
  readonly byDefault: 'block' | 'continue';
  /** What a blocked chain comes to: the caller gets the error, or an error result takes the place of the raw one. */
  readonly blocked: 'refused' | 'withheld';
  /** Whether `null` and `undefined` keep the value so far; else they are failures. */
  readonly nullKeeps: boolean;
  /** Answers that do not have the subject's shape. */
  readonly wrong: Readonly<Record<string, unknown>>;
}

/** A place whose hooks only look on. */
export interface ObservePlace extends Place {
  /** Throws unless what the hook looks on happened. */
  happened(trial: FullTrial): Promise<void>;
}

/** How a hook of a test behaves. */
export interface Behaviour {
  readonly id: string;
  /** Does not run for calls that the place is not about: those keep their subject. */
  run(args: Args, state: ThreadState): unknown;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly onError?: 'block' | 'continue';
  readonly schema?: StandardSchema;
}

/** A hook at a place. */
export function hookAt(place: Place<LifecycleName>, { id, run, ...options }: Behaviour): AnyHook {
  const execute = (state: ThreadState, ...args: unknown[]): unknown =>
    (place.isHere?.(args, state) ?? true) ? run(args, state) : args.at(-1);
  return onUntyped(place.hook, execute, { id, ...options });
}

type Fields = Record<string, unknown>;

const plus = (record: object, field: string, change: (text: string) => string): Fields => ({
  ...record,
  [field]: change(String((record as Fields)[field])),
});

const takeSubject = <T>(args: Args): T => args.at(-1) as T;

const send = (trial: FullTrial): Promise<unknown> => trial.send('base');

/** The texts of the user's messages in what the model was sent last. */
async function textSent(trial: FullTrial, role: string): Promise<string | null> {
  return (
    trial
      .sent()
      .at(-1)
      ?.find((message) => message.role === role)?.content ?? null
  );
}

async function storedText(trial: FullTrial, role: HookMessage['role']): Promise<string | null> {
  return (await trial.messages()).find((message) => message.role === role)?.content ?? null;
}

/** The text of the stored tool result from `base` on; `null` where that is not in it. */
async function resultText(trial: FullTrial): Promise<string | null> {
  const content = await storedText(trial, 'tool');
  const at = content?.indexOf('base') ?? -1;
  return at < 0 ? null : (content as string).slice(at);
}

const editHistory = (args: Args, change: (text: string) => string): unknown =>
  takeSubject<LLMMessage[]>(args).map((message) =>
    message.role === 'user' ? plus(message, 'content', change) : message,
  );

function mutateHistory(args: Args): void {
  for (const message of takeSubject<LLMMessage[]>(args)) message.content += ' mutated';
}

const wrongLists = {
  a_text: 'not a list',
  a_record: { role: 'user', content: 'not a list' },
  a_list_of_texts: ['user: not a message'],
  a_list_with_a_hole: [{ role: 'user', content: 42 }],
};

const wrongRecords = { a_text: 'not a record', a_number: 42, a_list: [] };

/** What the places have in common at which a tool's result is the value. */
const ofAResult: Pick<ValuePlace, 'setup' | 'reach' | 'edit' | 'mutate' | 'effect' | 'wrong'> = {
  setup: { tools: [tool('act', 'base')], script: calling('act') },
  reach: (trial) => trial.send('go'),
  edit: (args, change) => plus(takeSubject(args), 'result', change),
  mutate: (args) => Object.assign(takeSubject<Fields>(args), { result: 'base mutated' }),
  effect: resultText,
  wrong: { ...wrongRecords, no_status: { result: 'not a result' } },
};

/** The eight places whose hooks give a value on. */
export const valuePlaces: readonly ValuePlace[] = [
  {
    hook: 'after_system_message',
    section: 'spec 1.1',
    byDefault: 'block',
    blocked: 'refused',
    nullKeeps: true,
    setup: { system: 'base' },
    reach: send,
    edit: (args, change) => change(takeSubject(args)),
    mutate: () => {},
    effect: (trial) => textSent(trial, 'system'),
    wrong: { a_number: 42, a_record: { content: 'not a text' }, a_list: ['not a text'] },
  },
  {
    hook: 'filter_messages',
    section: 'spec 3.1',
    byDefault: 'block',
    blocked: 'refused',
    nullKeeps: false,
    reach: send,
    edit: editHistory,
    mutate: mutateHistory,
    effect: (trial) => textSent(trial, 'user'),
    wrong: wrongLists,
  },
  {
    hook: 'prefilter_llm_history',
    section: 'spec 3.2',
    byDefault: 'block',
    blocked: 'refused',
    nullKeeps: false,
    reach: send,
    edit: editHistory,
    mutate: mutateHistory,
    effect: (trial) => textSent(trial, 'user'),
    wrong: wrongLists,
  },
  {
    hook: 'before_create_message',
    section: 'spec 4.1',
    byDefault: 'block',
    blocked: 'refused',
    nullKeeps: false,
    reach: send,
    isHere: (args) => takeSubject<Fields>(args).role === 'user',
    edit: (args, change) => plus(takeSubject(args), 'content', change),
    mutate: (args) => Object.assign(takeSubject<Fields>(args), { content: 'mutated' }),
    effect: (trial) => storedText(trial, 'user'),
    wrong: {
      ...wrongRecords,
      no_role: { content: 'not a message' },
      no_content: { role: 'user' },
      a_role_that_is_none: { role: 'person', content: 'not a message' },
      tool_calls_that_are_no_text: { role: 'user', content: 'x', tool_calls: [{ id: 'call_1' }] },
      content_of_numbers: { role: 'user', content: 42 },
    },
  },
  {
    hook: 'before_update_message',
    section: 'spec 4.3',
    byDefault: 'block',
    blocked: 'refused',
    nullKeeps: false,
    needs: ['update'],
    async reach(trial) {
      await trial.send('as it was');
      const [message] = await trial.messages();
      await trial.update(String(message?.id), { content: 'base' });
    },
    edit: (args, change) => plus(takeSubject(args), 'content', change),
    mutate: (args) => Object.assign(takeSubject<Fields>(args), { content: 'mutated' }),
    async effect(trial) {
      const text = await storedText(trial, 'user');
      return text === 'as it was' ? null : text;
    },
    wrong: { ...wrongRecords, content_of_numbers: { content: 42 } },
  },
  {
    hook: 'before_store_tool_result',
    section: 'spec 5.1',
    byDefault: 'block',
    blocked: 'withheld',
    nullKeeps: false,
    ...ofAResult,
  },
  {
    hook: 'after_tool_call_success',
    section: 'spec 5.2',
    byDefault: 'continue',
    blocked: 'withheld',
    nullKeeps: true,
    ...ofAResult,
  },
  {
    hook: 'after_tool_call_failure',
    section: 'spec 5.3',
    byDefault: 'continue',
    blocked: 'withheld',
    nullKeeps: true,
    setup: { tools: [tool('act', new Error('base'))], script: calling('act') },
    reach: (trial) => trial.send('go'),
    edit: (args, change) => plus(takeSubject(args), 'error', change),
    mutate: (args) => Object.assign(takeSubject<Fields>(args), { error: 'base mutated' }),
    effect: resultText,
    wrong: { ...wrongRecords, no_status: { error: 'not a result' } },
  },
];

async function answered(trial: FullTrial): Promise<void> {
  const lines = (await trial.messages()).map(({ role, content }) => `${role}: ${content}`);
  for (const line of ['user: base', 'assistant: done'])
    if (!lines.includes(line))
      throw new Error(`expected "${line}" to be stored, got ${JSON.stringify(lines)}`);
}

/** The four places whose hooks only look on. */
export const observePlaces: readonly ObservePlace[] = [
  {
    hook: 'after_thread_created',
    section: 'spec 1.1',
    reach: send,
    happened: answered,
  },
  {
    hook: 'after_subagent_created',
    section: 'spec 1.1',
    needs: ['subagents'],
    setup: { subagent: { script: [{ text: 'from the child' }] }, script: delegating() },
    reach: send,
    async happened(trial) {
      await answered(trial);
      const content = await storedText(trial, 'tool');
      if (content?.includes('from the child')) return;
      throw new Error(`expected the child's text as the tool's result, got ${JSON.stringify(content)}`);
    },
  },
  {
    hook: 'after_create_message',
    section: 'spec 4.2',
    reach: send,
    isHere: (args) => takeSubject<Fields>(args).role === 'user',
    happened: answered,
  },
  {
    hook: 'after_update_message',
    section: 'spec 4.4',
    needs: ['update'],
    async reach(trial) {
      await trial.send('as it was');
      const [message] = await trial.messages();
      await trial.update(String(message?.id), { content: 'base' });
    },
    happened: answered,
  },
];

/** The model hands something to the subagent, and then says "done". */
export function delegating(): NonNullable<Setup['script']> {
  return [{ calls: [{ id: 'call_1', name: 'delegate', input: { task: 'think' } }] }, { text: 'done' }];
}

/** Every place of the twelve hooks of the specification. */
export const places: readonly Place[] = [...valuePlaces, ...observePlaces];
