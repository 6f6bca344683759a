import type { JsonObject } from 'type-fest';
import { hubGates } from '../dialects/hub.ts';
import { isGuard } from '../members/guards.ts';
import { exactRegex, type MatcherModel } from './matcher-model.ts';
import { blocks, createLists, defined, type WritableEntry, type Writer } from './writer.ts';

const TIMEOUT_MS = 5_000;

/** Writes the dialect `hub`: flat entries, milliseconds, `continueOnError`, `priority`. */
export const hubWriter: Writer = {
  events: [
    ['PreToolUse', 'before_tool_call'],
    ['PostToolUse', 'after_tool_call_success'],
    ['UserPromptSubmit', 'before_user_message', 'main'],
    ['Stop', 'before_stop'],
    ['AgentStart', 'after_session_started'],
    ['AgentEnd', 'after_session_ended'],
  ],
  write(entries) {
    const lists = createLists();
    const paths = entries.map((writable) => lists.add(writable.eventName, written(writable)));
    return { content: { hooks: lists.hooks }, paths };
  },
};

function written({ entry, eventName, model, command }: WritableEntry): JsonObject {
  const { timeoutMs, priority } = entry;
  return defined({
    matcher: writeMatcher(model),
    inputMatchers: writeInputs(model, isGuard(entry)),
    command,
    timeout: timeoutMs === TIMEOUT_MS ? undefined : timeoutMs,
    continueOnError: hubGates.includes(eventName) ? !blocks(entry) : undefined,
    priority: priority === 0 ? undefined : priority,
  });
}

function writeMatcher({ names, regex }: MatcherModel): string | undefined {
  if (regex !== undefined || names === undefined) return regex;
  return exactRegex(names);
}

/**
 * Writes an expression on commands as one on the field `command`, which is the closest; a guard is left without it, since it would let
 * pass calls that have no such field.
 */
function writeInputs({ inputs, commands }: MatcherModel, guards: boolean): JsonObject | undefined {
  return inputs ?? (commands === undefined || guards ? undefined : { command: commands });
}
