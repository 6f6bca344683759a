import type { JsonObject } from 'type-fest';
import { isGate } from '../gates.ts';
import { isAboutTool } from '../members/events.ts';
import type { CommandEntry, Effect } from '../normal-form.ts';
import { listOr, type MatcherModel, wrapped } from './matcher-model.ts';
import { writeNested } from './nested.ts';
import { defined, type Writer } from './writer.ts';

/** Writes the dialect `claude`: nested entries, seconds, handlers of all types. */
export const claudeWriter: Writer = {
  takesAnyHandler: true,
  events: [
    ['PreToolUse', 'before_tool_call'],
    ['PostToolUse', 'after_tool_call_success'],
    ['PostToolUseFailure', 'after_tool_call_failure'],
    ['PermissionRequest', 'before_permission_request'],
    ['PostToolBatch', 'after_tool_batch'],
    ['UserPromptSubmit', 'before_user_message', 'main'],
    ['SessionStart', 'after_session_started', 'main'],
    ['SubagentStart', 'after_session_started', 'subagent'],
    ['SessionEnd', 'after_session_ended', 'main'],
    ['Stop', 'before_stop', 'main'],
    ['SubagentStop', 'before_stop', 'subagent'],
    ['PreCompact', 'before_compaction'],
    ['Notification', 'after_notification'],
  ],
  write: (entries) =>
    writeNested(
      entries.map(({ entry, eventName, model, command }) => ({
        eventName,
        group: defined({ matcher: writeMatcher(entry, model) }),
        handler: defined({
          ...writeHandler(entry, command),
          if: isAboutTool(entry.event) ? model.rule : undefined,
          timeout: writeTimeout(entry, eventName),
          statusMessage: entry.statusMessage,
          async: entry.isAwaited ? undefined : true,
          once: entry.isOnce ? true : undefined,
          ...listEffects(entry),
        }),
      })),
    ),
};

function writeHandler({ handler }: CommandEntry, command = ''): JsonObject {
  if (handler.type !== 'command') return handler as unknown as JsonObject;
  if (handler.args === undefined) return { type: 'command', command };
  return { type: 'command', command: handler.command, args: [...handler.args] };
}

function writeMatcher({ event }: CommandEntry, { names, regex, word }: MatcherModel): string | undefined {
  if (!isAboutTool(event)) return word;
  if (names !== undefined) return listOr(names, /^[\w -]+$/);
  return regex === undefined ? undefined : wrapped(regex);
}

const DEFAULT_MS = 600_000;

/** Events whose default timeout differs. */
const OTHERS: readonly string[] = ['UserPromptSubmit', 'SessionEnd'];

function writeTimeout({ timeoutMs, handler }: CommandEntry, eventName: string): number | undefined {
  const isDefault = timeoutMs === DEFAULT_MS && handler.type === 'command' && !OTHERS.includes(eventName);
  return isDefault ? undefined : timeoutMs / 1_000;
}

/** The effects of failures. In this format a failure never blocks unless an entry says so. */
function listEffects({ event, effects }: CommandEntry): Record<string, Effect | undefined> {
  if (!isGate(event)) return {};
  const { onExit, onLaunchError, onInvalidOutput, onTimeout } = effects;
  const failures = [onExit, onLaunchError, onInvalidOutput];
  const strictest: Effect =
    failures.find((effect) => effect === 'block') ??
    failures.find((effect) => effect === 'ask') ??
    'continue';
  return {
    onFailure: strictest === 'continue' ? undefined : strictest,
    onTimeout: onTimeout === strictest ? undefined : onTimeout,
  };
}
