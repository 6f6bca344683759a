/**
 * Judges hooks that readers copy: each is run on a conversation with tool calls, tool errors, no content and a denied call. What a hook
 * hides in one place must not pass in another, content that is not there must not become the word "null", and no hook may fail on what an
 * ordinary turn brings.
 */

interface Hook {
  readonly id: string;
  readonly hook: string;
}

interface Message {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: string;
  readonly tool_call_id?: string;
}

interface Result {
  readonly status: string;
  readonly result?: string;
  readonly error?: string;
  readonly stack?: string;
}

interface Outcome<T> {
  readonly result: T;
  readonly error?: Error;
}

/** Runs the hook with arguments of its own. */
type Run = <T>(...args: unknown[]) => Promise<Outcome<T>>;
type Judge = (run: Run) => Promise<string[]>;

const DEFINED = Symbol.for('@spec/hooks/defined');

/** Sees the hooks that programs define from now on. The function that it gives takes those that came since it was last called. */
export function watchDefinitions(): () => readonly Hook[] {
  const hooks = new Map<string, Hook>();
  const { defineProperty } = Object;
  Object.defineProperty = (object, key, descriptor) => {
    if (key === DEFINED && isDefinedByProgram()) hooks.set((object as Hook).id, object as Hook);
    return defineProperty(object, key, descriptor);
  };
  return () => {
    const taken = [...hooks.values()];
    hooks.clear();
    return taken;
  };
}

/** Not those that a package brings, such as the hooks of the conformance cases. Source maps may lead to its sources. */
function isDefinedByProgram(): boolean {
  const callers = (new Error('').stack ?? '').split('\n').slice(3);
  const definer = callers.find((line) => !/\/packages\/hooks\/(?:dist|src)\//.test(line));
  return definer !== undefined && !/\/packages\/[^/]+\/(?:dist|src)\//.test(definer);
}

/**
 * Judges hooks, and adds what is wrong with them to `problems`. What they print goes nowhere. All are run at once, and are judged when nothing
 * is left to do: one that is shown to hang keeps nobody waiting.
 */
export async function judgeHooks(hooks: readonly Hook[], problems: string[]): Promise<void> {
  for (const method of ['log', 'info', 'warn', 'error'] as const) console[method] = () => {};
  const { runHook } = await import(process.env.HOOKS_TESTING ?? '');
  for (const hook of hooks) void judgeHook(hook, runner(runHook, hook), problems);
}

async function judgeHook({ id, hook }: Hook, run: Run, problems: string[]): Promise<void> {
  const found = (await judges[hook]?.(run)) ?? [];
  problems.push(...found.map((problem) => `${id} (${hook}): ${problem}`));
}

function runner(runHook: (hook: Hook, ...args: unknown[]) => Promise<Outcome<never>>, hook: Hook): Run {
  return async (...args) => {
    const outcome = await runHook(hook, ...args);
    return outcome.error === undefined
      ? { result: outcome.result }
      : { result: undefined as never, error: outcome.error };
  };
}

/** Values that hooks in documents hide: some of them are found, and those must be found everywhere. */
const secrets = ['4111 1111 1111 1111', '4111111111111111', 'ada@example.com', 'PIN 1234', '0123'];
const said = `Ada: ${secrets.join(', ')}.`;
const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'get_payment', arguments: '{"amount":5}' },
};
const base = { created_at: 1, parent_id: null, depth: 0 };
const plain: Message = { id: 'm_user', ...base, role: 'user', content: said };
const asking: Message = {
  id: 'm_assistant',
  ...base,
  role: 'assistant',
  content: null,
  tool_calls: JSON.stringify([call]),
};
const answering: Message = { id: 'm_tool', ...base, role: 'tool', content: said, tool_call_id: 'call_1' };
const denied: Message = { ...answering, content: `This tool call was denied by guard. ${said}` };

/** A text that stands for nothing. */
const NOT_THERE = /^(null|undefined|\[object Object\])$/;

const hiddenIn = (text: unknown): string[] => secrets.filter((secret) => !String(text).includes(secret));
const passed = (hidden: readonly string[], text: unknown): string[] =>
  hidden.filter((secret) => String(text).includes(secret));

/** A hook that fails on the plainest input is shown to fail. */
async function whereItWorks<T>(
  first: Promise<Outcome<T>>,
  judge: (result: T) => Promise<string[]>,
): Promise<string[]> {
  const { result, error } = await first;
  return error === undefined ? judge(result) : [];
}

const judgeMessage: Judge = (run) =>
  whereItWorks(run<Message>(plain), async (shown) => {
    const problems: string[] = [];
    const hidden = hiddenIn(shown.content);
    for (const given of [asking, answering, denied]) {
      const { result, error } = await run<Message>(given);
      if (error !== undefined) problems.push(`fails on a message of role ${given.role}: ${error.message}`);
      else problems.push(...contentProblems(given, result, hidden));
    }
    return problems;
  });

function contentProblems(given: Message, result: Message, hidden: readonly string[]): string[] {
  const problems = passed(hidden, result.content).map(
    (secret) => `lets "${secret}" pass in a message of role ${given.role}`,
  );
  if (given.content === null && NOT_THERE.test(result.content ?? ''))
    problems.push(`content that is not there becomes ${JSON.stringify(result.content)}`);
  if (given.tool_calls !== result.tool_calls) problems.push('changes the calls of a message without text');
  return problems;
}

const judgeUpdate: Judge = (run) =>
  whereItWorks(run<Partial<Message>>('m_user', { content: said }), async ({ content }) => {
    const { result, error } = await run<Partial<Message>>('m_assistant', { tool_calls: asking.tool_calls });
    if (error !== undefined) return [`fails on an update without content: ${error.message}`];
    if (result.content === undefined || hiddenIn(content).length === 0) return [];
    return [`an update without content gets the content ${JSON.stringify(result.content)}`];
  });

const succeeded: Result = { status: 'success', result: said };
const withoutText: Result = { status: 'success' };
const failed: Result = {
  status: 'error',
  error: `declined ${said}`,
  stack: `Error: declined ${said}\n    at pay (pay.js:1)`,
};

/** Judges by what a hook hides in the text of the first result. */
function judgeResults(first: Result, ...others: readonly Result[]): Judge {
  return (run) =>
    whereItWorks(run<Result>(call, first), async (shown) => {
      const problems: string[] = [];
      const hidden = hiddenIn(shown.result ?? shown.error);
      for (const given of [first, ...others]) {
        const { result, error } = await run<Result>(call, given);
        if (error !== undefined)
          problems.push(`fails on a result with status ${given.status}: ${error.message}`);
        else problems.push(...resultProblems(result, hidden));
      }
      return problems;
    });
}

function resultProblems({ result, error, stack }: Result, hidden: readonly string[]): string[] {
  const problems = Object.entries({ error, stack }).flatMap(([field, text]) =>
    text === undefined ? [] : passed(hidden, text).map((secret) => `lets "${secret}" pass in ${field}`),
  );
  if (NOT_THERE.test(result ?? '')) problems.push(`a result that is not there becomes "${result}"`);
  return problems;
}

function judgeList(convert: (message: Message) => unknown): Judge {
  return (run) =>
    whereItWorks(run([convert(plain)]), async () => {
      const list = Array.from({ length: 40 }, (_, at) => exchange(at)).flat();
      const { result, error } = await run<Message[]>(list.map(convert));
      if (error !== undefined) return [`fails on a conversation with tool calls: ${error.message}`];
      return [
        ...result
          .filter(({ content }) => NOT_THERE.test(content ?? ''))
          .map(({ content }) => `content that is not there becomes "${content}"`),
        ...result
          .filter(
            ({ role, tool_call_id }, at) => role === 'tool' && !isAsked(result.slice(0, at), tool_call_id),
          )
          .map(() => 'leaves the result of a tool without the call before it'),
      ];
    });
}

/** A question, two calls after one another of which the second is denied, and an answer: lists that are cut anywhere show what is torn. */
function exchange(at: number): Message[] {
  const asks = (id: string): Message => ({
    ...asking,
    id: `a_${id}`,
    tool_calls: JSON.stringify([{ ...call, id }]),
  });
  const [first, second] = [`call_${at}_1`, `call_${at}_2`];
  return [
    ...[...Array((at % 3) + 1).keys()].map((more) => ({ ...plain, id: `u_${at}_${more}` })),
    asks(first),
    { ...answering, id: `t_${first}`, tool_call_id: first },
    asks(second),
    { ...denied, id: `t_${second}`, tool_call_id: second },
    { ...plain, id: `s_${at}`, role: 'assistant' },
  ];
}

function toModelMessage({ role, content, tool_calls: calls, tool_call_id: id }: Message): unknown {
  return {
    role,
    content,
    ...(calls !== undefined && { tool_calls: JSON.parse(calls) }),
    ...(id !== undefined && { tool_call_id: id }),
  };
}

function isAsked(before: readonly Message[], id: string | undefined): boolean {
  return before.some(({ tool_calls: calls }) => JSON.stringify(calls ?? '').includes(String(id)));
}

const judgeDecision: Judge = (run) =>
  whereItWorks(run(call), async () => {
    const problems: string[] = [];
    for (const text of ['{}', '', '{"a":', '{"command":null,"path":7,"amount":"5"}']) {
      const { error } = await run({ ...call, function: { ...call.function, arguments: text } });
      if (error !== undefined)
        problems.push(`fails on the arguments ${JSON.stringify(text)}: ${error.message}`);
    }
    return problems;
  });

const judges: Readonly<Record<string, Judge>> = {
  before_create_message: judgeMessage,
  before_update_message: judgeUpdate,
  before_store_tool_result: judgeResults(succeeded, failed, withoutText),
  after_tool_call_success: judgeResults(succeeded, withoutText),
  after_tool_call_failure: judgeResults(failed),
  filter_messages: judgeList((message) => message),
  prefilter_llm_history: judgeList(toModelMessage),
  before_tool_call: judgeDecision,
};
