import {
  findUnknownOption,
  type MessagePageQuery,
  type OptionNames,
  RunError,
  type RunFilter,
  type RunQuery,
  type SearchQuery,
  type SeriesQuery,
  type ThreadQuery,
  type TurnPageQuery,
} from '@spec/hooks';
import { wantedCount } from './counts.ts';

type Check = readonly [takes: (value: unknown) => boolean, what: string];

const text: Check = [(value) => typeof value === 'string', 'a text'];
const textOrNull: Check = [(value) => value === null || typeof value === 'string', 'a text or null'];
const time: Check = [Number.isFinite, 'a number of microseconds'];
const count: Check = [
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'a whole number, 0 or more',
];
const order: Check = [(value) => value === 'newest' || value === 'oldest', '"newest" or "oldest"'];

type Checks<Query> = { readonly [Name in keyof OptionNames<Query>]-?: Check };

const runFilter: Checks<RunFilter> = {
  ...{ threadId: text, hook: text, id: text, outcome: text, turnId: textOrNull },
  ...{ since: time, until: time },
};
const runQuery: Checks<RunQuery> = { ...runFilter, order, size: count, cursor: text };
const threadQuery: Checks<ThreadQuery> = {
  ...{ size: count, cursor: text, id: text, agentId: text, parentId: textOrNull },
};
const messageQuery: Checks<MessagePageQuery> = { size: count, clip: count, before: text, after: text };

const turnQuery: Checks<TurnPageQuery> = { size: count, cursor: text };
const searchQuery: Checks<SearchQuery> = { text, threadId: text, size: count, clip: count, cursor: text };
const seriesQuery: Checks<SeriesQuery> = { ...runFilter, buckets: count };

/** Gives callers from JavaScript a sentence instead of a database error. @throws {RunError} `invalid_input` */
export function checkThreadQuery(query: ThreadQuery): ThreadQuery {
  return checkPage('threads', query, threadQuery);
}

/** @throws {RunError} `invalid_input` */
export function checkMessageQuery(query: MessagePageQuery): MessagePageQuery {
  const { clip } = checkPage('messages', query, messageQuery);
  if (clip === undefined) throw refuse('messages', 'clip must be a whole number, 0 or more');
  return query;
}

/** @throws {RunError} `invalid_input` */
export function checkTurnQuery(query: TurnPageQuery): TurnPageQuery {
  return checkPage('turns', query, turnQuery);
}

/** @throws {RunError} `invalid_input` */
export function checkSearchQuery(query: SearchQuery): SearchQuery {
  const { text: wanted, clip } = checkPage('search', query, searchQuery);
  if (!wanted) throw refuse('search', 'text must be a text that is not empty');
  if (clip === undefined) throw refuse('search', 'clip must be a whole number, 0 or more');
  return query;
}

/** The most points of a chart. */
const MOST_BUCKETS = 500;

/** @throws {RunError} `invalid_input` */
export function checkSeriesQuery(query: SeriesQuery): SeriesQuery {
  const { since, until, buckets } = check('series', query, seriesQuery);
  if (!(since < until)) throw refuse('series', 'since and until must be times, the first before the second');
  if (!(buckets >= 1 && buckets <= MOST_BUCKETS))
    throw refuse('series', `buckets must be a number from 1 to ${MOST_BUCKETS}`);
  return query;
}

/** @throws {RunError} `invalid_input` */
export function checkRunQuery(query: RunQuery): RunQuery {
  return checkPage('runs', query, runQuery);
}

/** @throws {RunError} `invalid_input` */
export function checkRecentQuery(query: { readonly size: number }): { readonly size: number } {
  return checkPage('recent', query, { size: count });
}

/** @throws {RunError} `invalid_input` */
export function checkRunFilter(of: string, filter: RunFilter): RunFilter {
  return check(of, filter, runFilter);
}

/** @throws {RunError} `invalid_input` */
export function checkTime(of: string, value: unknown): void {
  if (!Number.isFinite(value)) throw refuse(of, 'the time must be a number of microseconds');
}

/** @throws {RunError} `invalid_input` */
export function checkId(of: string, what: 'thread' | 'turn', id: unknown): void {
  if (typeof id !== 'string') throw refuse(of, `the id of the ${what} must be a text`);
}

function checkPage<Query extends { readonly size: number }>(
  of: string,
  query: Query,
  checks: Checks<Query>,
): Query {
  check(of, query, checks);
  if (query.size === undefined) throw refuse(of, 'size must be a whole number: how many a page has at most');
  wantedCount('size', query.size);
  return query;
}

function check<Query extends object>(of: string, query: Query, checks: Checks<Query>): Query {
  if (typeof query !== 'object' || query === null) throw refuse(of, 'what is asked for must be an object');
  const known = checks as Readonly<Record<string, Check>>;
  const names = Object.fromEntries(Object.keys(known).map((name): [string, true] => [name, true]));
  const unknown = findUnknownOption(query, names);
  if (unknown !== undefined) throw refuse(of, unknown);
  for (const [name, value] of Object.entries(query)) {
    const [takes, what] = known[name] as Check;
    if (value !== undefined && !takes(value)) throw refuse(of, `${name} must be ${what}`);
  }
  return query;
}

function refuse(of: string, problem: string): RunError {
  return new RunError('invalid_input', `${of}: ${problem.replace(/\.?$/, '.')}`);
}
