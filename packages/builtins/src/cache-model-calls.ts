import {
  checkOptionNames,
  DefinitionError,
  type Duration,
  defineHook,
  describeWrongDuration,
  digestText,
  durationInMs,
  type Hook,
  type HookMessage,
  type HookToolCall,
  isRecord,
  keepToRuntime,
  type ModelAnswer,
  type ModelRequest,
  type OptionNames,
  type ThreadState,
} from '@spec/hooks';

/** An answer that is kept. */
export interface CachedAnswer {
  readonly answer: ModelAnswer;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The thread whose model gave it. */
  readonly threadId: string;
}

/** Where `cacheModelCalls` keeps what several threads share. */
export interface AnswerStore {
  get(key: string): Promise<CachedAnswer | undefined>;
  set(key: string, cached: CachedAnswer): Promise<void>;
}

/** The options of `cacheModelCalls`. */
export interface CacheModelCallsOptions<Id extends string = string> {
  /** How long an answer is kept. Default `'1h'`. */
  readonly expires?: Duration;
  /** How many answers a thread keeps; the oldest go first. Default 100. */
  readonly maxEntries?: number;
  /** Threads of the same group share answers, such as those of one user. It needs `store`. Default: each thread for itself. */
  readonly share?: (state: ThreadState) => string;
  /** Where shared answers are kept. */
  readonly store?: AnswerStore;
  /** Default `cache_model_calls`. */
  readonly id?: Id;
}

/** What `cacheModelCalls` gives: the hook that answers, the one that knows what the model answered itself, and the one that keeps that. */
export type CacheModelCallsHooks<Id extends string> = readonly [
  Hook<'before_model_call', `${Id}_before`>,
  Hook<'after_model_call', `${Id}_told`>,
  Hook<'after_create_message', `${Id}_after`>,
];

/**
 * Answers a call of a model with what the model said before, if everything that is sent is the same: the model, its settings, the tools
 * and every message. A request with files is always made. What is kept has passed `before_create_message`, so redacted values stay redacted.
 * It is for `@spec/runtime` alone: the loop of a framework refuses it when its hooks are created, because requests there do not show everything
 * that is sent.
 *
 * @throws {DefinitionError} `bad_option`
 */
export function cacheModelCalls<const Id extends string = 'cache_model_calls'>(
  options: CacheModelCallsOptions<Id> = {},
): CacheModelCallsHooks<Id> {
  const { expiresMs, maxEntries } = readOptions(options);
  const { id = 'cache_model_calls' as Id, share, store } = options;
  const asked = new Map<string, string>();
  const storeFor = (state: ThreadState): AnswerStore =>
    store === undefined ? threadAnswers(state, id, maxEntries) : store;
  const hooks = [
    defineHook({
      hook: 'before_model_call',
      id: `${id}_before`,
      ...(store === undefined ? { keeps: nameAnswers(id) } : {}),
      execute: async (state, request) => {
        asked.delete(nameStep(state)); // The step may have asked for a summary, whose answer is no message.
        if (request.messages.some(hasFiles)) return null;
        const group: unknown = share === undefined ? state.threadId : share(state);
        if (typeof group !== 'string') return { decision: 'deny', reason: NO_GROUP };
        const key = await makeKey(group, request);
        const cached = await storeFor(state).get(key);
        if (cached !== undefined && cached.expiresAt > Date.now()) return { result: cached.answer };
        if (asked.size >= MAX_ASKED) asked.clear(); // Calls that failed are never answered.
        asked.set(nameStep(state), key);
        return null;
      },
    }) as unknown as CacheModelCallsHooks<Id>[0],
    defineHook({
      hook: 'after_model_call',
      id: `${id}_told`,
      execute: async (state, { cached, errorCode }) => {
        // A later hook may have answered: that is not what the model says, least of all to others.
        if (cached || errorCode !== null) asked.delete(nameStep(state));
      },
    }) as unknown as CacheModelCallsHooks<Id>[1],
    defineHook({
      hook: 'after_create_message',
      id: `${id}_after`,
      execute: async (state, message) => {
        const key = isAnswer(message) ? asked.get(nameStep(state)) : undefined;
        if (key === undefined) return;
        asked.delete(nameStep(state));
        const { threadId } = state;
        const answer = readAnswer(message);
        await storeFor(state).set(key, { answer, threadId, expiresAt: Date.now() + expiresMs });
      },
    }) as unknown as CacheModelCallsHooks<Id>[2],
  ] as const;
  return keepToRuntime(hooks, NOT_SHOWN);
}

/** Two pictures with one question would share an answer, and so would two questions that want answers of different forms. */
const NOT_SHOWN =
  'requests in the loop of a framework do not show all that is sent, such as files and the form of the answer, so no answer is kept.';

/** Otherwise all that have no name, or a promise of one, would be one group. */
const NO_GROUP = 'cacheModelCalls: share must return a text that says who shares the answer.';

const MAX_ASKED = 10_000;

/** Whether it is what was answered in a turn of the runtime: hooks store messages in the same step, and so does a turn that fails. */
function isAnswer({ role, id }: Partial<HookMessage>): boolean {
  return role === 'assistant' && id?.endsWith('.answer') === true;
}

function nameStep({ threadId, execution }: ThreadState): string {
  return `${threadId} ${execution.flowId} ${execution.stepCount}`;
}

/** What is in a file is not part of the request: the same path may hold something else. */
function hasFiles(message: object): boolean {
  const { attachments } = message as { attachments?: unknown };
  return Array.isArray(attachments) && attachments.length > 0;
}

/** Everything that is sent, and for whom. */
async function makeKey(
  group: string,
  { model, settings, toolChoice, tools, messages }: ModelRequest,
): Promise<string> {
  return digestText(JSON.stringify([group, model, settings, toolChoice, tools, messages]));
}

function readAnswer({ content, tool_calls: calls }: HookMessage): ModelAnswer {
  return typeof calls === 'string'
    ? { content, toolCalls: JSON.parse(calls) as HookToolCall[] }
    : { content };
}

/** Answers among the values of a thread: they go with it. */
function threadAnswers(state: ThreadState, id: string, maxEntries: number): AnswerStore {
  const valueKey = nameAnswers(id);
  const read = async (): Promise<Record<string, CachedAnswer>> => {
    const value = await state.getValue(valueKey);
    return isRecord(value) ? (value as unknown as Record<string, CachedAnswer>) : {};
  };
  return {
    async get(key) {
      const answers = await read();
      return Object.hasOwn(answers, key) ? answers[key] : undefined;
    },
    async set(key, cached) {
      const { [key]: _, ...others } = await read();
      const fresh = Object.entries(others).filter(([, { expiresAt }]) => expiresAt > Date.now());
      const kept = maxEntries > 1 ? fresh.slice(1 - maxEntries) : [];
      await state.setValue(valueKey, Object.fromEntries([...kept, [key, cached]]));
    },
  };
}

const optionNames: OptionNames<CacheModelCallsOptions> = {
  expires: true,
  maxEntries: true,
  share: true,
  store: true,
  id: true,
};

function readOptions(options: CacheModelCallsOptions): { expiresMs: number; maxEntries: number } {
  checkOptionNames('cacheModelCalls', options, optionNames);
  const { expires = '1h', maxEntries = 100, share, store } = options;
  const expiresMs = durationInMs(expires);
  if (expiresMs === undefined) throw bad(describeWrongDuration('expires', expires));
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1)
    throw bad('maxEntries must be a whole number of at least 1');
  if (share !== undefined && typeof share !== 'function') throw bad('share must be a function of the state');
  if ((share === undefined) !== (store === undefined))
    throw bad('answers that threads share need both share and store');
  return { expiresMs, maxEntries };
}

function bad(problem: string): DefinitionError {
  return new DefinitionError('bad_option', `cacheModelCalls: ${problem}${/[.?]$/.test(problem) ? '' : '.'}`);
}

function nameAnswers(id: string): string {
  return `${id}/answers`;
}
