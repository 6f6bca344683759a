import { findUnknownOption, type Matcher, type OptionNames } from '@spec/hooks';
import { badOption } from './detect/bad-option.ts';
import type { KeptValue } from './kept-value.ts';
import { createSeals, type RestoreKey, type Seals } from './seal.ts';

/** Who gets the values of placeholders back. */
export type Restore = 'tools' | RestoreOptions;

/** The tools that also get values from tools' results: by the tool's name, `'*'` or the names of its arguments. */
export type RestoreInto = Readonly<Record<string, '*' | readonly string[]>>;

/** The `restore` of `redact` as an object, for more options than `'tools'`. */
export interface RestoreOptions {
  readonly to: 'tools';
  /**
   * The tools that get values: names, or a matcher on the call with its placeholders, such as `'charge_card|send_*'`; default all.
   * Agents that run as tools never get values; their own tools do.
   */
  readonly tools?: Matcher | readonly string[];
  /**
   * The values that each of these tools gets: those of the `conversation`, which is what the person, the model, the application and the
   * system message say; or those from `anywhere`, including tools' results, which anybody may have written. Default `conversation`.
   */
  readonly from?: 'conversation' | 'anywhere';
  /** The exceptions for values from tools' results, such as `{ send_mail: ['to'], archive: '*' }`. Default: none. */
  readonly into?: RestoreInto;
  /**
   * A key of yours. With it the values are kept with the thread, encrypted, and can be restored after a restart. In a list, the first key
   * encrypts; the others only decrypt older values. Without it, values live as long as the process.
   */
  readonly key?: RestoreKey | readonly RestoreKey[];
}

/** Rejects options that do not exist. */
export type ExactRestore<R> = R extends object
  ? { readonly [Name in Exclude<keyof R, keyof RestoreOptions>]: never }
  : unknown;

/** Says which tools get which values. */
export interface RestoreRule {
  mayGive(value: Pick<KeptValue, 'isSaid'>, to: { readonly tool: string; readonly field: string }): boolean;
}

/** Checked options. */
export interface CheckedRestore extends RestoreRule {
  readonly match: Matcher | undefined;
  readonly seals: Seals | undefined;
}

const optionNames: OptionNames<RestoreOptions> = { to: true, tools: true, from: true, into: true, key: true };

/** @throws {DefinitionError} `bad_option` */
export function checkedRestore(restore: unknown, id: string = 'redact'): CheckedRestore | undefined {
  if (restore === undefined) return undefined;
  if (restore === 'tools') return { match: undefined, seals: undefined, ...makeRule({ to: 'tools' }) };
  if (typeof restore !== 'object' || restore === null || (restore as Partial<RestoreOptions>).to !== 'tools')
    throw badOption(
      "restore must be 'tools', or { to: 'tools', tools, from, into, key } to say which tools, which values and under which key.",
    );
  const { tools, key } = restore as RestoreOptions;
  const problem = findUnknownOption(restore, optionNames);
  if (problem !== undefined) throw badOption(`restore: ${problem}`);
  return {
    match: Array.isArray(tools) ? { tools } : (tools as Matcher | undefined),
    seals: key === undefined ? undefined : createSeals(checkedKeys(key), id),
    ...makeRule(restore as RestoreOptions),
  };
}

function makeRule({ from = 'conversation', into = {} }: RestoreOptions): RestoreRule {
  if (from !== 'conversation' && from !== 'anywhere')
    throw badOption("restore.from must be 'conversation' or 'anywhere'.");
  const fieldsOf = new Map(Object.entries(checkedInto(into)));
  return {
    mayGive({ isSaid }, { tool, field }) {
      if (isSaid || from === 'anywhere') return true;
      const fields = fieldsOf.get(tool);
      return fields === '*' || fields?.includes(field) === true;
    },
  };
}

function checkedInto(into: unknown): RestoreInto {
  const isFields = (fields: unknown): boolean =>
    fields === '*' || (Array.isArray(fields) && fields.every((field) => typeof field === 'string'));
  if (
    typeof into === 'object' &&
    into !== null &&
    !Array.isArray(into) &&
    Object.values(into).every(isFields)
  )
    return into as RestoreInto;
  throw badOption(
    "restore.into must name tools and their arguments, such as { send_mail: ['to'] }, or '*' for all arguments of a tool.",
  );
}

function checkedKeys(key: unknown): readonly RestoreKey[] {
  const keys: readonly unknown[] = Array.isArray(key) ? key : [key];
  if (keys.length > 0 && keys.every(isKey))
    return keys.map((one) => (typeof one === 'string' ? one : one.slice()));
  throw badOption(
    'restore.key must be 32 random bytes, or a text of at least 16 characters such as the output of `openssl rand -hex 32`, or a list of such keys, the current one first.',
  );
}

function isKey(key: unknown): key is RestoreKey {
  return typeof key === 'string' ? key.length >= 16 : key instanceof Uint8Array && key.length === 32;
}
