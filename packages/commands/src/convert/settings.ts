import { conditionCommand } from '../dialect-traits.ts';
import type { CommandHandler } from '../entry-handler.ts';
import { listOr, type MatcherModel } from './matcher-model.ts';
import { blocks, createLists, defined, type WritableEntry, type Writer } from './writer.ts';

const TIMEOUT_MS = 5_000;

/** Writes the dialect `settings`: flat entries, milliseconds, `continueOnFailure`. */
export const settingsWriter: Writer = {
  events: [
    ['PreToolUse', 'before_tool_call'],
    ['PostToolUse', 'after_tool_call_success'],
    ['UserPromptSubmit', 'before_user_message', 'main'],
    ['SessionStart', 'after_session_started', 'main'],
    ['SessionEnd', 'after_session_ended', 'main'],
  ],
  write(entries) {
    const lists = createLists();
    const paths = entries.map((writable) => lists.add(writable.eventName, written(writable)));
    return { content: { hooks: lists.hooks }, paths };
  },
};

function written({ entry, eventName, model, command }: WritableEntry): ReturnType<typeof defined> {
  const { timeoutMs, handler } = entry;
  const condition = handler.type === 'command' ? conditionCommand(entry) : undefined;
  return defined({
    matcher: writeMatcher(model),
    condition,
    command: condition === undefined ? command : (handler as CommandHandler).command,
    timeout: timeoutMs === TIMEOUT_MS ? undefined : timeoutMs,
    continueOnFailure: eventName === 'PreToolUse' && blocks(entry) ? false : undefined,
  });
}

/** This format has no patterns for files, domains and the like. */
const RULE =
  /^(?!(?:Read|Write|Edit|MultiEdit|Notebook\w*|Glob|Grep|LS|WebFetch|Task|Agent|Skill)\()[\w-]+\([^()]*\)$/;

function writeMatcher({ names, regex, flagged, rule }: MatcherModel): string | undefined {
  if (flagged !== undefined) return flagged;
  if (rule !== undefined && RULE.test(rule) && (names === undefined || rule.startsWith(`${names.join()}(`)))
    return rule;
  if (names !== undefined) return listOr(names, /^[\w.:@-]+$/, (source) => `/${source}/`);
  return regex === undefined ? undefined : `/${regex}/`;
}
