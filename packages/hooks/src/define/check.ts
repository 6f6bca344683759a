import { describeWrongDuration, durationInMs } from '../duration.ts';
import { DefinitionError } from '../errors.ts';
import { findHookOfEvent } from '../lifecycle/event-names.ts';
import { isLifecycleName, lifecycleRow, lifecycleTable } from '../lifecycle/table.ts';
import { nearest } from '../nearest.ts';
import { findUnknownOption } from '../option-names.ts';
import { nameSortOfValue } from '../shapes/record.ts';
import type { StandardSchema } from '../standard-schema.ts';
import type { AnyHookKind, LifecycleName } from '../vocabulary/lifecycle.ts';

/** The argument of `defineHook` before any check. */
type Given = Readonly<Record<keyof typeof optionNames, unknown>> & { readonly hook: LifecycleName };

/** The options of `defineHook`. */
export const optionNames = {
  hook: true,
  id: true,
  execute: true,
  timeout: true,
  onError: true,
  onTimeout: true,
  priority: true,
  schema: true,
  changes: true,
  reads: true,
  match: true,
  restore: true,
  conceal: true,
  holdBack: true,
  stream: true,
  keeps: true,
} as const;

/**
 * Refuses a definition that breaks a rule (design §5), naming the hook, the rule, and what to write instead.
 *
 * @throws {DefinitionError} `bad_hook`
 */
export function checkHook(options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new DefinitionError(
      'bad_hook',
      `A hook is defined by an object { hook, id, execute }; got ${nameSortOfValue(options)}.`,
    );
  }
  const given = options as Given;
  checkId(given.id);
  const refuse = (rule: string): DefinitionError =>
    new DefinitionError('bad_hook', `Hook "${String(given.id)}": ${rule}`);
  for (const check of checks) {
    const broken = check(given);
    if (broken !== undefined) throw refuse(broken);
  }
}

const SNAKE_CASE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

function checkId(id: unknown): void {
  const example = 'snake_case, such as "limit_to_20_messages"';
  if (typeof id !== 'string') {
    throw new DefinitionError(
      'bad_hook',
      `The id of a hook must be a string in ${example}; got ${nameSortOfValue(id)}.`,
    );
  }
  if (SNAKE_CASE.test(id)) return;
  const better = toSnakeCase(id);
  const hint = SNAKE_CASE.test(better) ? ` Write "${better}".` : '';
  throw new DefinitionError('bad_hook', `A hook id must be ${example}; got "${id}".${hint}`);
}

function toSnakeCase(id: string): string {
  const words = id.replace(/([a-z0-9])([A-Z])/g, '$1_$2').split(/[^a-zA-Z0-9]+/);
  return words
    .filter((word) => word !== '')
    .join('_')
    .toLowerCase();
}

/** Each check returns the broken rule, or `undefined`. Order matters: later checks rely on a valid hook name. */
const checks: ReadonlyArray<(given: Given) => string | undefined> = [
  brokenName,
  brokenOptions,
  brokenExecute,
  brokenTimeout,
  brokenPolicies,
  brokenPriority,
  brokenSchema,
  brokenMatch,
  brokenChanges,
  brokenReads,
  brokenRestore,
  brokenStream,
  brokenKeeps,
];

function brokenName({ hook }: Given): string | undefined {
  if (isLifecycleName(hook)) return undefined;
  if (typeof hook !== 'string')
    return `hook must be the name of a hook, such as "filter_messages"; got ${nameSortOfValue(hook)}.`;
  const ofEvent = findHookOfEvent(hook);
  return ofEvent === undefined
    ? `there is no hook named "${hook}". ${didYouMean(hook, Object.keys(lifecycleTable))}`
    : `there is no hook named "${hook}", which is an event of settings files. Did you mean "${ofEvent}"?`;
}

function brokenOptions(given: Given): string | undefined {
  return findUnknownOption(given, optionNames);
}

function brokenExecute({ execute }: Given): string | undefined {
  return typeof execute === 'function'
    ? undefined
    : `execute must be a function; got ${nameSortOfValue(execute)}.`;
}

function brokenTimeout({ timeout }: Given): string | undefined {
  if (timeout === undefined || durationInMs(timeout) !== undefined) return undefined;
  return describeWrongDuration('timeout', timeout);
}

const policiesOf: Readonly<Record<AnyHookKind, readonly string[]>> = {
  observe: ['continue'],
  replace: ['block', 'continue'],
  transform: ['block', 'continue'],
  collect: ['block', 'continue'],
  decide: ['block', 'continue', 'ask'],
};

function brokenPolicies(given: Given): string | undefined {
  const hook = given.hook;
  const { kind } = lifecycleRow(hook);
  const option = (['onError', 'onTimeout'] as const).find(
    (name) => given[name] !== undefined && !policiesOf[kind].includes(given[name] as string),
  );
  if (option === undefined) return undefined;
  const allowed = policiesOf[kind].map((policy) => `"${policy}"`).join(' or ');
  const why = kind === 'observe' ? ': what it watches has already happened' : '';
  return `${option} must be ${allowed} on ${hook}, a hook of kind ${kind}${why}; got ${show(given[option])}.`;
}

function brokenPriority({ priority }: Given): string | undefined {
  if (priority === undefined || Number.isFinite(priority)) return undefined;
  return `priority must be a finite number, and hooks with a higher one run first; got ${show(priority)}.`;
}

function brokenSchema({ hook, schema }: Given): string | undefined {
  if (schema === undefined) return undefined;
  if (lifecycleRow(hook).args.length === 0)
    return `schema checks a hook's last argument, and ${hook} has none but the state.`;
  const validate = (schema as Partial<StandardSchema> | null)?.['~standard']?.validate;
  if (typeof validate === 'function') return undefined;
  return `schema must be a Standard Schema, such as one of Zod, Valibot or ArkType; got ${nameSortOfValue(schema)}.`;
}

function brokenMatch({ hook, match }: Given): string | undefined {
  if (match === undefined || lifecycleRow(hook).toolCall !== undefined) return undefined;
  return `match is for hooks on tool calls, and ${hook} is none. Test the argument inside execute instead.`;
}

function brokenChanges({ hook, changes }: Given): string | undefined {
  if (changes === undefined) return undefined;
  const { kind, args } = lifecycleRow(hook);
  const returnsRecord = (kind === 'transform' || kind === 'replace') && args.at(-1)?.fields === true;
  if (!returnsRecord)
    return `changes is for hooks that return a message, updates or a tool result, and ${hook} is none.`;
  if (Array.isArray(changes) && changes.every((field) => typeof field === 'string')) return undefined;
  return `changes must be a list of field names, such as ["metadata"]; got ${nameSortOfValue(changes)}.`;
}

function brokenReads({ hook, reads }: Given): string | undefined {
  if (reads === undefined) return undefined;
  if (lifecycleRow(hook).seesHistory !== true)
    return `reads is for hooks on the stored history, and ${hook} is none.`;
  const last = (reads as { last?: unknown } | null)?.last;
  if (Number.isSafeInteger(last) && (last as number) >= 1) return undefined;
  return `reads must be { last: n } with a whole number of messages, at least 1; got ${show(last)}.`;
}

function brokenRestore({ hook, restore, conceal }: Given): string | undefined {
  if (restore === undefined)
    return conceal === undefined
      ? undefined
      : 'conceal takes out again what restore put back, and there is no restore.';
  if (lifecycleRow(hook).restorable !== true)
    return `restore puts values back into a tool call, and ${hook} decides on none. Give it to a before_tool_call hook.`;
  if (typeof restore !== 'function')
    return `restore must be a function of the state and the tool call; got ${nameSortOfValue(restore)}.`;
  return typeof conceal === 'function'
    ? undefined
    : `restore shows values to the hooks that decide on the call, so there must be a function conceal that takes them out of what they say; got ${nameSortOfValue(conceal)}.`;
}

function brokenStream({ hook, holdBack, stream, changes }: Given): string | undefined {
  if (holdBack === undefined && stream === undefined) return undefined;
  const given = stream === undefined ? 'holdBack' : 'stream';
  if (lifecycleRow(hook).streamable !== true)
    return `${given} is for hooks that an answer's text waits for, and ${hook} is none. Give it to a before_create_message hook.`;
  if (typeof stream !== 'function')
    return `holdBack says how far text stays behind the function stream, which must be a function of the text; got ${nameSortOfValue(stream)}.`;
  if (!Number.isSafeInteger(holdBack) || (holdBack as number) < 0)
    return `stream needs holdBack, the number of characters that a change may span, as a whole number of at least 0; got ${show(holdBack)}.`;
  if (Array.isArray(changes) && !changes.includes('content'))
    return 'stream says what the hook makes of the content, and changes does not name it. Leave stream and holdBack out: the text waits for no hook that leaves it alone.';
  return undefined;
}

function brokenKeeps({ keeps }: Given): string | undefined {
  if (keeps === undefined) return undefined;
  const names: unknown[] = [keeps].flat();
  const areNames = names.every((name) => typeof name === 'string' && name !== '' && name !== '*');
  if (areNames && names.length > 0) return undefined;
  return 'keeps names the values that the hook keeps with a thread: a name, such as "notes", how names begin, such as "notes/*", or a list of these.';
}

function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? `There are: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
}

/** Quotes a short value as written; describes a long one by its type only, since it may be anything. */
function show(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.length <= 40 ? `"${value}"` : nameSortOfValue(value);
}
