import type { JsonObject, JsonValue } from 'type-fest';
import { isObject } from '../json-object.ts';
import { isAboutTool } from '../members/events.ts';
import type { CommandEntry } from '../normal-form.ts';

/** What the matchers of all formats say, in one form; absent parts want everything. */
export interface MatcherModel {
  /** Exact names of tools. */
  readonly names?: readonly string[];
  /** A regular expression on the tool's name, which may fit anywhere in it. */
  readonly regex?: string;
  /** A rule on what a tool is called with: `Bash(git *)`. */
  readonly rule?: string;
  /** Regular expressions by field of the input; a call without the field is not meant. */
  readonly inputs?: JsonObject;
  /** A glob for paths. */
  readonly paths?: string;
  /** A regular expression on shell commands. */
  readonly commands?: string;
  /** What is compared on events that are about no tool. */
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
    const literal = /^\/(.*)\/$/s.exec(matcher)?.[1];
    if (literal !== undefined) return { regex: unwrapped(literal) };
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
  claude({ matcher, condition, event }) {
    const rule = condition === undefined ? {} : { rule: condition };
    const [tool] = condition === undefined ? [] : (/^[\w-]+(?=\()/.exec(condition) ?? []);
    if (!isText(matcher)) return tool === undefined ? rule : { names: [tool], ...rule };
    if (!isAboutTool(event)) return { word: matcher };
    return { ...toolsModel(matcher, /^[\w\- ,|]*$/), ...rule };
  },
};

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

/** Names as the regular expression that only they fit. */
export function exactRegex(names: readonly string[]): string {
  const texts = names.map((name) => name.replace(/[^\w\s-]/g, '\\$&'));
  return texts.length === 1 ? `^${texts[0]}$` : `^(?:${texts.join('|')})$`;
}

/** Names as a format writes them: in a list where it takes them for names, else as an expression. */
export function listOr(
  names: readonly string[],
  isName: RegExp,
  asRegex: (regex: string) => string = (regex) => regex,
): string {
  return names.every((name) => isName.test(name)) ? names.join('|') : asRegex(exactRegex(names));
}

/** Without the group that a writer puts around an expression which would else be taken for names. */
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

/** A regular expression that no format takes for a list of names. */
export function wrapped(regex: string): string {
  return /^[\w\- ,|*]*$/.test(regex) ? `(?:${regex})` : regex;
}
