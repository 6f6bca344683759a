import type { ModelledHook } from '../src/model/chain.ts';

type Fields = Record<string, unknown>;

/** How a hook's subject holds marks. */
export interface Carrier {
  /** The arguments after the state, the subject last. */
  args(marks: string): unknown[];
  read(subject: never): string;
  /** A subject of the same sort with other marks, or for a decide hook the input that has them. */
  edited(subject: never, marks: string): unknown;
  scribble?(subject: never): void;
  readonly wrong: unknown;
}

const call = (marks: string): Fields => ({
  id: 'c1',
  type: 'function',
  function: { name: 'get_order', arguments: JSON.stringify({ marks }) },
});
const message = (marks: string): Fields => ({
  id: 'm1',
  role: 'user',
  content: marks,
  created_at: 1,
  metadata: { tags: ['new'] },
});
const result = (marks: string): Fields => ({
  status: 'success',
  result: marks,
  attachments: [{ type: 'file', path: 'a' }],
});

const inField = (field: string, make: (marks: string) => Fields, before: unknown[]): Carrier => ({
  args: (marks) => [...before, make(marks)],
  read: (subject: Fields) => subject[field] as string,
  edited: (subject: Fields, marks) => ({ ...subject, [field]: marks }),
  scribble: (subject: Fields) => {
    subject[field] = `${subject[field] as string}!`;
  },
  wrong: { role: 5, status: 5 },
});

const deciding = (
  args: (marks: string) => unknown[],
  read: Carrier['read'],
  edited: Carrier['edited'],
): Carrier => ({
  args,
  read,
  edited,
  scribble: (subject: Fields) => {
    subject.id = 'scribbled';
  },
  wrong: { decision: 'perhaps' },
});

/** What each hook of the model is given, and how the marks of a chain are read from it and written into it. */
export const carriers: Readonly<Record<ModelledHook, Carrier>> = {
  after_create_message: { ...inField('content', message, []), wrong: 5 },
  after_system_message: {
    args: (marks) => [marks],
    read: (text: string) => text,
    edited: (_, marks) => marks,
    wrong: 5,
  },
  after_tool_call_success: inField('result', result, [call('')]),
  before_store_tool_result: inField('result', result, [call('')]),
  before_create_message: inField('content', message, []),
  filter_messages: {
    args: (marks) => [[message(marks), message('second')]],
    read: ([first]: [Fields]) => first.content as string,
    edited: ([first, ...rest]: [Fields, ...Fields[]], marks) => [{ ...first, content: marks }, ...rest],
    scribble: ([first]: [Fields]) => {
      first.content = `${first.content as string}!`;
    },
    wrong: [{ role: 'user' }],
  },
  before_tool_call: deciding(
    (marks) => [call(marks)],
    (subject: { function: { arguments: string } }) =>
      (JSON.parse(subject.function.arguments) as { marks: string }).marks,
    (_, marks) => ({ marks }),
  ),
  before_user_message: deciding(
    (marks) => [message(marks)],
    (subject: Fields) => subject.content as string,
    (_, marks) => marks,
  ),
  before_compaction: deciding(
    (marks) => [{ trigger: 'manual', messageCount: 3, marks }],
    (subject: Fields) => subject.marks as string,
    (_, marks) => ({ marks }),
  ),
  after_tool_batch: {
    args: (marks) => [[{ toolCall: call(marks), result: result(marks) }]],
    read: () => '',
    edited: () => '',
    scribble: (results: unknown[]) => void results.push('scribbled', 5),
    wrong: [5],
  },
};
