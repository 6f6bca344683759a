import type { CommandEntry, CompiledEntry, Occasion } from '../../normal-form.ts';
import { allowingOnly } from '../nested/allow.ts';
import { readClaudeAnswer } from './answer.ts';
import { backgroundOf } from './background.ts';
import { type Condition, conditionFrom } from './condition.ts';
import { type ClaudeEvent, claudeEvents } from './events.ts';
import { invocationOf } from './invocation.ts';
import { shortenAnswer } from './output-cap.ts';
import { pluginRootOf } from './plugin-root.ts';
import type { Shared } from './shared.ts';
import { nameTestOf } from './tool-matcher.ts';

/** @throws {DefinitionError} `bad_matcher` */
export function compileClaude(entry: CommandEntry, shared: Shared): CompiledEntry {
  const event = claudeEvents[entry.eventName] as ClaudeEvent;
  const once = entry.isOnce ? createOnce() : undefined;
  const condition = entry.condition === undefined ? undefined : conditionFrom(entry.condition);
  const reasons = [
    ...matcherOf(entry, event),
    ...(condition === undefined ? [] : [whyNotFor(condition, entry)]),
    ...(once === undefined ? [] : [once.why]),
  ];
  const given = { ...shared, pluginRoot: pluginRootOf(entry.place.file) };
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
    ...backgroundOf(event),
    invocation(occasion) {
      once?.note(occasion);
      return invocationOf(entry, occasion, given);
    },
    answer: (given, occasion) =>
      allowingOnly(
        readClaudeAnswer(entry, given),
        () => condition === undefined || condition.isAll(occasion),
      ),
    shorten: (answer, { executionId }) => shortenAnswer(answer, `${entry.id}-${executionId}`, shared.folder),
  };
}

type WhyNot = (occasion: Occasion) => string | undefined;

function matcherOf({ matcher }: CommandEntry, { tested }: ClaudeEvent): WhyNot[] {
  if (typeof matcher !== 'string' || tested === undefined) return [];
  const test = nameTestOf(matcher);
  return [
    (occasion) => {
      const name = tested(occasion);
      return test(name) ? undefined : `the matcher ${matcher} does not match ${name.slice(0, 64)}`;
    },
  ];
}

function whyNotFor({ test }: Condition, { condition }: CommandEntry): WhyNot {
  return (occasion) => (test(occasion) ? undefined : `the call is not what "if" asks for: ${condition}`);
}

/** Sessions that are remembered; the oldest is forgotten first. */
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
