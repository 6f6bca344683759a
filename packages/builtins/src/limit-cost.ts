import {
  checkOptionNames,
  DefinitionError,
  defineHook,
  type Hook,
  isRecord,
  type ModelCall,
  type ModelRequest,
  type OptionNames,
  type ThreadState,
} from '@spec/hooks';
import type { CostStore } from './cost-store.ts';
import { nameAccount, threadCosts } from './thread-costs.ts';

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  /** Reasoning is billed as output. */
  readonly output: number;
  /** For input that the provider read from its cache. Default: as other input. */
  readonly cached?: number;
}

/** The options of `limitCost`: `tokens`, or `usd` with `prices`. */
export interface LimitCostOptions<Id extends string = string> {
  /** How many tokens may be used, input and output together. */
  readonly tokens?: number;
  /** How many dollars may be spent. */
  readonly usd?: number;
  /** The price of each model that may be called, by its name in the runtime. A model without one is denied. */
  readonly prices?: Readonly<Record<string, Price>>;
  /** Who has the limit, such as the user of the thread. It needs `store`. Default: each thread for itself. */
  readonly by?: (state: ThreadState) => string;
  /** Where it is kept what was spent. Default: with the thread. */
  readonly store?: CostStore;
  /** How many tokens an answer may have, where the prompt does not say (`maxOutputTokens`). So many are reserved. Default 4096. */
  readonly maxOutputTokens?: number;
  /** Default `limit_cost`. */
  readonly id?: Id;
}

/** What `limitCost` gives: the hook that reserves, and the one that puts what a call cost in its place. */
export type LimitCostHooks<Id extends string> = readonly [
  Hook<'before_model_call', `${Id}_before`>,
  Hook<'after_model_call', `${Id}_after`>,
];

const DEFAULT_MAX_OUTPUT_TOKENS = 4_096;

/** Amounts are whole numbers: tokens, or millionths of a dollar. */
const MICROS = 1_000_000;

/**
 * Denies calls of models once a limit is reached. What a call may cost at most is reserved before it is made, so that neither several
 * processes at once nor a crash lead past the limit; afterwards what it did cost counts. A call of which nobody can say what it cost
 * (the process died, the turn was stopped, the answer broke off, the provider does not count) counts as much as was reserved.
 *
 * @throws {DefinitionError} `bad_option`
 */
export function limitCost<const Id extends string = 'limit_cost'>(
  options: LimitCostOptions<Id>,
): LimitCostHooks<Id> {
  checkOptions(options);
  const { id = 'limit_cost' as Id, by, store } = options;
  const meter = options.tokens === undefined ? meterDollars(options) : meterTokens(options);
  const reservations = new Map<string, { readonly key: string; readonly amount: number }>();
  const storeFor = (state: ThreadState): CostStore => store ?? threadCosts(state, id);
  return [
    defineHook({
      hook: 'before_model_call',
      id: `${id}_before`,
      ...(store === undefined ? { keeps: nameAccount(id) } : {}),
      execute: async (state, request) => {
        const { callId } = request;
        const amount = meter.atMost(request);
        if (amount === undefined) return deny(`limitCost has no price for the model "${request.model}".`);
        const key: unknown = by === undefined ? state.threadId : by(state);
        if (typeof key !== 'string') return deny('limitCost: by must return a text: whose limit it is.');
        const { fits, spent } = await storeFor(state).reserve({ key, callId, amount, limit: meter.limit });
        if (!fits) return deny(meter.describe(spent, amount));
        reservations.set(callId, { key, amount });
        return null;
      },
    }) as unknown as LimitCostHooks<Id>[0],
    defineHook({
      hook: 'after_model_call',
      id: `${id}_after`,
      execute: async (state, call) => {
        const reserved = reservations.get(call.callId);
        if (reserved === undefined) return;
        reservations.delete(call.callId);
        const amount = isUncounted(call) ? reserved.amount : meter.of(call);
        await storeFor(state).settle(reserved.key, call.callId, amount);
      },
    }) as unknown as LimitCostHooks<Id>[1],
  ];
}

/**
 * Whether it was made, or may have been, and nobody says what it cost: a count that its provider leaves out is 0. One that failed before
 * its answer began costs nothing.
 */
function isUncounted({ cached, errorCode, finishReason, usage }: ModelCall): boolean {
  if (cached || errorCode === 'model_denied') return false;
  if (errorCode === 'model_failed' && finishReason === null) return false;
  return usage.inputTokens === 0 || usage.outputTokens === 0;
}

interface Meter {
  readonly limit: number;
  /** What a request may cost; `undefined` where that cannot be said. */
  atMost(request: ModelRequest): number | undefined;
  of(call: ModelCall): number;
  describe(spent: number, amount: number): string;
}

function meterTokens({ tokens = 0, maxOutputTokens }: LimitCostOptions): Meter {
  return {
    limit: tokens,
    atMost: (request) => request.estimatedTokens + countOutput(request, maxOutputTokens),
    of: ({ usage }) => usage.inputTokens + usage.outputTokens,
    describe: (spent, amount) =>
      `The limit is ${tokens} tokens: ${spent} are used or reserved, and this call may use ${amount}.`,
  };
}

function meterDollars({ usd = 0, prices = {}, maxOutputTokens }: LimitCostOptions): Meter {
  const priceOf = (model: string): Price | undefined =>
    Object.hasOwn(prices, model) ? prices[model] : undefined;
  const dollars = (micros: number): string => `$${(micros / MICROS).toFixed(4)}`;
  return {
    limit: Math.floor(usd * MICROS),
    atMost(request) {
      const price = priceOf(request.model);
      if (price === undefined) return undefined;
      return Math.ceil(
        request.estimatedTokens * price.input + countOutput(request, maxOutputTokens) * price.output,
      );
    },
    of({ model, usage }) {
      const { input, output, cached = input } = priceOf(model) as Price;
      const fresh = Math.max(0, usage.inputTokens - usage.cachedTokens); // some providers count both apart
      return Math.ceil(fresh * input + usage.cachedTokens * cached + usage.outputTokens * output);
    },
    describe: (spent, amount) =>
      `The limit is $${usd}: ${dollars(spent)} are spent or reserved, and this call may cost ${dollars(amount)}.`,
  };
}

function countOutput({ settings }: ModelRequest, byDefault: number = DEFAULT_MAX_OUTPUT_TOKENS): number {
  const { maxOutputTokens } = settings;
  return typeof maxOutputTokens === 'number' ? maxOutputTokens : byDefault;
}

function deny(reason: string): { decision: 'deny'; reason: string } {
  return { decision: 'deny', reason };
}

const optionNames: OptionNames<LimitCostOptions> = {
  tokens: true,
  usd: true,
  prices: true,
  by: true,
  store: true,
  maxOutputTokens: true,
  id: true,
};

function checkOptions(options: LimitCostOptions): void {
  checkOptionNames('limitCost', options, optionNames);
  const { tokens, usd, prices, by, store, maxOutputTokens } = options;
  if ((tokens === undefined) === (usd === undefined))
    throw bad('give tokens, such as { tokens: 100_000 }, or usd with prices');
  if (tokens !== undefined && !isAmount(tokens)) throw bad('tokens must be a number of at least 0');
  if (usd !== undefined && !isAmount(usd)) throw bad('usd must be a number of at least 0');
  if (usd !== undefined && !arePrices(prices))
    throw bad('usd needs prices, dollars for a million tokens: { "my-model": { input: 3, output: 15 } }');
  if (maxOutputTokens !== undefined && !isAmount(maxOutputTokens))
    throw bad('maxOutputTokens must be a number of at least 0');
  if (by !== undefined && typeof by !== 'function') throw bad('by must be a function of the state');
  if (by !== undefined && store === undefined)
    throw bad('a limit for several threads (by) needs a store, such as sqliteCosts of @spec/builtins/sqlite');
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function arePrices(prices: unknown): boolean {
  if (!isRecord(prices)) return false;
  return Object.values(prices).every(
    (price) =>
      isRecord(price) &&
      isAmount(price.input) &&
      isAmount(price.output) &&
      (price.cached === undefined || isAmount(price.cached)),
  );
}

function bad(problem: string): DefinitionError {
  return new DefinitionError('bad_option', `limitCost: ${problem}.`);
}
