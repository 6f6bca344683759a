import {
  type Duration,
  describeWrongDuration,
  durationInMs,
  findUnknownOption,
  isRecord,
  type OptionNames,
} from '@spec/hooks';
import { isCount } from './compaction.ts';

/** How often a model call that failed is made again. Only what may pass by itself is tried again: HTTP 408, 409, 429 and 5xx, and a network that fails. */
export interface RetryOptions {
  /** How many calls follow the first one at most. 0 tries once. Default 2. */
  readonly attempts?: number;
  /** The longest wait before a call. A provider that asks for more (`retry-after`) is not waited for. Default 60 s. */
  readonly maxDelay?: Duration;
}

const optionNames: OptionNames<RetryOptions> = { attempts: true, maxDelay: true };

/** What is wrong with retry options, as a sentence; nothing where they are right. */
export function findRetryProblem(options: unknown): string | undefined {
  if (options === undefined) return undefined;
  if (!isRecord(options)) return 'retry must be an object, such as { attempts: 2 }.';
  const unknown = findUnknownOption(options, optionNames);
  if (unknown !== undefined) return `retry: ${unknown}`;
  const { attempts, maxDelay } = options;
  if (!isCount(attempts, 0)) return 'retry: attempts must be a whole number of at least 0.';
  const isDelay = maxDelay === undefined || durationInMs(maxDelay) !== undefined;
  return isDelay ? undefined : describeWrongDuration('retry: maxDelay', maxDelay);
}
