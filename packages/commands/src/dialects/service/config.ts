import type { Effect } from '../../normal-form.ts';
import type { Fields } from '../nested/fields.ts';
import type { Report } from '../nested/report.ts';

const BEHAVIORS = ['ignore', 'deny', 'ask'] as const;
type Behavior = (typeof BEHAVIORS)[number];

/** A file's settings for all its hooks (§12e.3), after the environment's overrides. */
export interface ServiceConfig {
  readonly isEnabled: boolean;
  readonly timeoutMs: number;
  /** `undefined`: not set. */
  readonly onTimeout: Effect | undefined;
  readonly onFailure: Effect | undefined;
  readonly maxConcurrent: number | undefined;
}

/** Variables of the host by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The keys beside the events. */
export const CONFIG_KEYS: readonly string[] = [
  'enabled',
  'defaultTimeout',
  'timeoutBehavior',
  'failureBehavior',
  'maxConcurrentHooks',
];

const DEFAULT_SECONDS = 60;

const EFFECTS: Readonly<Record<Behavior, Effect>> = { ignore: 'continue', deny: 'block', ask: 'ask' };

/** Reads the settings for all hooks of a file. A variable of the environment overrides the file's key. */
export function readConfig(fields: Fields, environment: Environment, report: Report): ServiceConfig {
  const override = overridesFrom(environment, report);
  const timeout = fields.time('defaultTimeout', 'seconds');
  const onTimeout = override.behavior('HOOKS_TIMEOUT_BEHAVIOR', fields.word('timeoutBehavior', BEHAVIORS));
  const onFailure = override.behavior('HOOKS_FAILURE_BEHAVIOR', fields.word('failureBehavior', BEHAVIORS));
  return {
    isEnabled: override.flag('HOOKS_ENABLED', fields.flag('enabled')) ?? true,
    timeoutMs: Math.ceil((override.seconds('HOOKS_DEFAULT_TIMEOUT', timeout) ?? DEFAULT_SECONDS) * 1_000),
    onTimeout: onTimeout && EFFECTS[onTimeout],
    onFailure: onFailure && EFFECTS[onFailure],
    maxConcurrent: override.whole('HOOKS_MAX_CONCURRENT', readConcurrent(fields)),
  };
}

function readConcurrent(fields: Fields): number | undefined {
  const most = fields.number('maxConcurrentHooks');
  if (most === undefined || Number.isInteger(most)) return most;
  fields.refuse('maxConcurrentHooks', 'maxConcurrentHooks must be a whole number above 0.');
  return undefined;
}

/** The value of a variable, or the file's value if it is not set. */
type Override<T> = (name: string, written: T | undefined) => T | undefined;

interface Overrides {
  readonly flag: Override<boolean>;
  readonly seconds: Override<number>;
  readonly whole: Override<number>;
  readonly behavior: Override<Behavior>;
}

const FLAGS: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false };

/** How a variable is read. */
interface Sort<T> {
  readonly expected: string;
  readonly read: (text: string) => T | undefined;
}

const flag: Sort<boolean> = {
  expected: 'one of 1, true, 0, false',
  read: (text) => (Object.hasOwn(FLAGS, text) ? FLAGS[text] : undefined),
};
const seconds: Sort<number> = {
  expected: 'a number of seconds above 0',
  read: (text) => (Number(text) > 0 && Number.isFinite(Number(text)) ? Number(text) : undefined),
};
const whole: Sort<number> = {
  expected: 'a whole number above 0',
  read: (text) => (Number.isInteger(seconds.read(text)) ? Number(text) : undefined),
};
const behavior: Sort<Behavior> = {
  expected: `one of ${BEHAVIORS.join(', ')}`,
  read: (text) => BEHAVIORS.find((word) => word === text),
};

/** An unreadable variable changes nothing and is reported. */
function overridesFrom(environment: Environment, report: Report): Overrides {
  function overrideWith<T>({ expected, read }: Sort<T>): Override<T> {
    return (name, written) => {
      const text = environment[name];
      if (text === undefined || text === '') return written;
      const value = read(text);
      if (value === undefined)
        report.warning(
          'bad_environment',
          ['hooks'],
          `The variable ${name} must be ${expected}; it changes nothing.`,
        );
      else if (value !== written)
        report.note('environment', ['hooks'], `The variable ${name} is set and beats what the file says.`);
      return value ?? written;
    };
  }
  return {
    flag: overrideWith(flag),
    seconds: overrideWith(seconds),
    whole: overrideWith(whole),
    behavior: overrideWith(behavior),
  };
}
