import type { JsonObject, JsonValue } from 'type-fest';
import { cursorEvents } from '../dialects/cursor/events.ts';
import { isObject } from '../json-object.ts';
import { isAboutTool } from '../members/events.ts';
import type { CommandEntry } from '../normal-form.ts';

/** One form for the matchers of all formats. An absent part matches everything. */
export interface MatcherModel {
  /** Exact names of tools. */
  readonly names?: readonly string[];
  /** A regular expression that may match anywhere in the tool's name. */
  readonly regex?: string;
  /** One with flags, as `/source/flags`. */
  readonly flagged?: string;
  /** A rule on the arguments of a call: `Bash(git *)`. */
  readonly rule?: string;
  /** Regular expressions by field of the input. A call without the field does not match. */
  readonly inputs?: JsonObject;
  /** A glob for paths. */
  readonly paths?: string;
  /** A regular expression on shell commands. */
  readonly commands?: string;
  /** The kind of calls that the event is for, where it is not for all. */
  readonly kind?: string;
  /** The word to compare on events without a tool. */
  readonly word?: string;
}

type ReadModel = (entry: CommandEntry) => MatcherModel;

const isText = (value: JsonValue | undefined): value is string => typeof value === 'string';

/** Reads the matcher of an entry, by its dialect. */
export function makeMatcherModel(entry: CommandEntry): MatcherModel {
  return readers[entry.dialect](entry);
}

const readers: { readonly [Name in CommandEntry['dialect']]: ReadModel } = {
  settings({ matcher }) {
    if (!isText(matcher) || matcher === '*') return {};
    const [literal = '', source, flags = ''] = /^\/(.*)\/(\w*)$/s.exec(matcher.trim()) ?? [];
    if (source !== undefined)
      return /^[gy]*$/.test(flags) ? { regex: unwrapped(source) } : { flagged: literal };
    const rule = /^([\w-]+)\(.*\)$/s.exec(matcher)?.[1];
    if (rule !== undefined) return { names: [rule], rule: matcher };
    const names = matcher.split('|').map((name) => name.trim());
    if (names.every((name) => NAME.test(name))) return { names };
    return names.some((name) => name.includes('(')) ? { rule: matcher } : { regex: globsAsRegex(names) };
  },
  hub({ matcher }) {
    const { matcher: name, inputMatchers } = isObject(matcher)
      ? matcher
      : { matcher, inputMatchers: undefined };
    const inputs = isObject(inputMatchers) ? { inputs: inputMatchers } : {};
    if (!isText(name) || name === '.*') return inputs;
    const names = exactNames(name);
    return { ...(names === undefined ? { regex: unwrapped(name) } : { names }), ...inputs };
  },
  service({ matcher }) {
    if (!isObject(matcher)) return {};
    const { tools, paths, commands } = matcher;
    return {
      ...(isText(tools) ? toolsModel(tools, /^[\w-]+(?:\|[\w-]+)*$/) : {}),
      ...(isText(paths) ? { paths } : {}),
      ...(isText(commands) ? { commands } : {}),
    };
  },
  qwen: (entry) => claudeModel(entry, /^[\w\- |]*$/),
  factory: (entry) => claudeModel(entry, /^[\w\- ,|]*$/),
  codex: (entry) => claudeModel(entry, /^\w*(?:\|\w*)*$/),
  gemini: (entry) => claudeModel(entry, /^$/),
  cursor({ matcher, event, eventName }) {
    const { kind } = cursorEvents[eventName] ?? {};
    const ofKind = kind === undefined ? {} : { kind };
    if (isObject(matcher))
      return isText(matcher.commands) ? { ...ofKind, commands: matcher.commands } : ofKind;
    if (!isText(matcher)) return ofKind;
    return { ...ofKind, ...(isAboutTool(event) ? namesOrRegex(matcher) : { word: matcher }) };
  },
  copilot({ matcher, event }) {
    if (!isText(matcher)) return {};
    if (!isAboutTool(event)) return { word: matcher };
    const wide = /^\.\*\(\?:(.*)\)\.\*$/s.exec(matcher)?.[1];
    return wide === undefined ? namesOrRegex(`^(?:${matcher})$`) : { regex: wide };
  },
  claude(entry) {
    const { matcher, condition } = entry;
    const rule = condition === undefined ? {} : { rule: condition };
    const [tool] = condition === undefined ? [] : (/^[\w-]+(?=\()/.exec(condition) ?? []);
    if (!isText(matcher)) return tool === undefined ? rule : { names: [tool], ...rule };
    return { ...claudeModel(entry, /^[\w\- ,|]*$/), ...rule };
  },
};

function claudeModel(
  { matcher, event }: Pick<CommandEntry, 'matcher' | 'event'>,
  list: RegExp,
): MatcherModel {
  if (!isText(matcher)) return {};
  return isAboutTool(event) ? toolsModel(matcher, list) : { word: matcher };
}

const NAME = /^[\w.:/@-]+$/;

function toolsModel(text: string, list: RegExp): MatcherModel {
  if (text === '*' || text === '') return {};
  if (!list.test(text)) return namesOrRegex(text);
  const names = text.split(/[|,]/).map((name) => name.trim());
  return { names };
}

function namesOrRegex(source: string): MatcherModel {
  const names = exactNames(source);
  return names === undefined ? { regex: unwrapped(source) } : { names };
}

const WORD = String.raw`(?:[\w -]|\\[^\w\s])+`;
const EXACT = new RegExp(String.raw`^\^(?:(${WORD})|\((?:\?:)?(${WORD}(?:\|${WORD})*)\))\$$`);

/** The names that `^A$` and `^(A|B)$` stand for. */
function exactNames(source: string): string[] | undefined {
  const [, one, several] = EXACT.exec(source) ?? [];
  const names = one === undefined ? several?.split('|') : [one];
  return names?.map((name) => name.replaceAll('\\', ''));
}

/** Makes a regular expression that matches only these names. */
export function exactRegex(names: readonly string[]): string {
  const texts = names.map((name) => name.replace(/[^\w\s-]/g, '\\$&'));
  return texts.length === 1 ? `^${texts[0]}$` : `^(?:${texts.join('|')})$`;
}

/** Writes names as a list if the format reads it as names, and as an expression otherwise. */
export function listOr(
  names: readonly string[],
  isName: RegExp,
  asRegex: (regex: string) => string = (regex) => regex,
): string {
  return names.every((name) => isName.test(name)) ? names.join('|') : asRegex(exactRegex(names));
}

/** Removes the group that a writer puts around an expression that would otherwise be read as names. */
function unwrapped(source: string): string {
  return /^\(\?:([\w\- ,|]*)\)$/.exec(source)?.[1] ?? source;
}

function globsAsRegex(names: readonly string[]): string {
  const parts = names.map((name) =>
    name
      .split('*')
      .map((text) => text.replace(/[.+?^${}()|[\]\\/]/g, '\\$&'))
      .join('.*'),
  );
  return parts.length === 1 ? `^${parts[0]}$` : `^(?:${parts.join('|')})$`;
}

/** Makes a regular expression that no format reads as a list of names. */
export function wrapped(regex: string): string {
  return /^[\w\- ,|*]*$/.test(regex) ? `(?:${regex})` : regex;
}
