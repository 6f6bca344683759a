import { type CompiledMatcher, compileMatcher, DefinitionError } from '@spec/hooks';
import { z } from 'zod';
import type { CommandEntry, CompiledEntry, Occasion } from '../../normal-form.ts';
import { compileFileRegex } from '../../regexes.ts';
import { readAnswer } from '../../run/read-output.ts';
import { allowingOnly } from '../nested/allow.ts';
import { readClaudeAnswer } from './answer.ts';
import { type Condition, conditionFrom } from './condition.ts';
import type { ClaudeEvent } from './events.ts';
import { makeInvocation } from './invocation.ts';
import { shortenAnswer } from './output-cap.ts';
import { findPluginRoot } from './plugin-root.ts';
import type { Shared } from './shared.ts';
import type { ClaudeVariant } from './variant.ts';

/** @throws {DefinitionError} `bad_matcher` */
export function compileClaude(entry: CommandEntry, shared: Shared): CompiledEntry {
  const { variant } = shared;
  const event = variant.events[entry.eventName] as ClaudeEvent;
  const once = entry.isOnce ? createOnce() : undefined;
  const condition = entry.condition === undefined ? undefined : conditionFrom(entry.condition);
  const reasons = [
    ...makeMatcherTests(entry, event, variant),
    ...(condition === undefined ? [] : [whyNotFor(condition, entry)]),
    ...(once === undefined ? [] : [once.why]),
  ];
  const given = { ...shared, pluginRoot: findPluginRoot(entry.position.file) };
  const isByToolName = event.isTool === true && entry.condition === undefined && !entry.isOnce;
  return {
    entry,
    ...(isByToolName ? { isByToolName } : {}),
    mismatch(occasion) {
      for (const why of reasons) {
        const reason = why(occasion);
        if (reason !== undefined) return reason;
      }
      return undefined;
    },
    ...(variant.sendsAway ? chooseBackground(event) : {}),
    invocation(occasion) {
      once?.note(occasion);
      return makeInvocation(entry, occasion, given);
    },
    answer: (given, occasion) =>
      allowingOnly(
        readClaudeAnswer(entry, given, { variant, occasion }),
        () => condition === undefined || condition.isAll(occasion),
      ),
    shorten: (answer, { executionId }) => shortenAnswer(answer, `${entry.id}-${executionId}`, shared.folder),
  };
}

type WhyNot = (occasion: Occasion) => string | undefined;

function makeMatcherTests(
  { matcher }: CommandEntry,
  { tested, isTool }: ClaudeEvent,
  variant: ClaudeVariant,
): WhyNot[] {
  if (typeof matcher !== 'string' || tested === undefined) return [];
  const { listNames, comparesWords } = variant;
  const test = !isTool && comparesWords ? isEqualTo(matcher) : compileNameTest(matcher, variant);
  const others = (name: string): readonly string[] => (isTool && listNames ? listNames(name) : [name]);
  return [
    (occasion) => {
      const name = tested(occasion);
      return others(name).some(test)
        ? undefined
        : `the matcher ${matcher} does not match ${name.slice(0, 64)}`;
    },
  ];
}

function whyNotFor({ test }: Condition, { condition }: CommandEntry): WhyNot {
  return (occasion) => (test(occasion) ? undefined : `the call is not what "if" asks for: ${condition}`);
}

/** The most sessions that are remembered. The oldest is forgotten first. */
const SESSIONS = 10_000;

/** Remembers in which sessions an entry ran. */
function createOnce(): { readonly why: WhyNot; readonly note: (occasion: Occasion) => void } {
  const sessions = new Set<string>();
  return {
    why: ({ sessionId }) => (sessions.has(sessionId) ? 'it runs once in a session, and did' : undefined),
    note({ sessionId }) {
      sessions.add(sessionId);
      if (sessions.size > SESSIONS) sessions.delete(sessions.values().next().value as string);
    },
  };
}

/** The most milliseconds that a timer of Node takes. */
const LONGEST_MS = 2_147_483_647;

const schema = z.looseObject({
  async: z.literal(true),
  asyncTimeout: z.number().positive().max(LONGEST_MS).optional(),
});

const utf8 = new TextEncoder();

/** Recognises `{"async": true, "asyncTimeout": …}` as the first line, on events that cannot refuse anything. */
function chooseBackground({ blocking }: ClaudeEvent): Pick<CompiledEntry, 'background'> {
  if (blocking !== 'tell' && blocking !== 'feedback') return {};
  return {
    background(firstLine) {
      const said = readAnswer({ stdout: utf8.encode(firstLine) });
      const { data } = schema.safeParse(said.kind === 'json' ? said.value : undefined);
      if (data === undefined) return undefined;
      return data.asyncTimeout === undefined ? {} : { timeoutMs: data.asyncTimeout };
    },
  };
}

/** Tests whether a matcher matches a name: a tool, a type of agent, a way to start. */
type NameTest = (name: string) => boolean;

function isEqualTo(word: string): NameTest {
  return (name) => name === word;
}

/** Letters, digits, `_`, `-`, blanks, `|` and `,`: a list of exact names. */
const LIST = { isList: /^[\w\- ,|]*$/, separator: /[|,]/ };

/**
 * Compiles a matcher. If it holds only names and separators, it is a list of exact names; otherwise it is a regular expression that may
 * match anywhere.
 *
 * @throws {DefinitionError} `bad_matcher` for an invalid regular expression
 */
function compileNameTest(matcher: string, { searchesNames, list }: ClaudeVariant): NameTest {
  const { isList, separator } = list ?? LIST;
  const names = new Set(matcher.split(separator).map((name) => name.trim()));
  if (isList.test(matcher) && !searchesNames) return (name) => names.has(name);
  const compiled = compileRegex(matcher);
  return (name) => (searchesNames && names.has(name)) || compiled.test({ name, input: undefined });
}

/** A permission rule is often a regular expression by chance; where it is none, it says what belongs where. */
function compileRegex(matcher: string): CompiledMatcher {
  try {
    return compileMatcher(`/${matcher}/`, { regex: compileFileRegex });
  } catch (error) {
    const [rule, tool] = /^(\w+)\(.*\)$/s.exec(matcher) ?? [];
    if (rule === undefined || !(error instanceof DefinitionError)) throw error;
    const message = `The matcher ${rule} is no name and no regular expression. Write "matcher": "${tool}", and "if": "${rule}" beside the command.`;
    throw new DefinitionError('bad_matcher', message);
  }
}
