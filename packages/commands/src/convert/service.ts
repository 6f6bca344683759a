import type { JsonObject } from 'type-fest';
import { silentEffectOn } from '../dialects/service/events.ts';
import { isGate } from '../gates.ts';
import type { CommandEntry, Effect, Effects } from '../normal-form.ts';
import { listOr, type MatcherModel, wrapped } from './matcher-model.ts';
import { writeNested } from './nested.ts';
import { defined, type WritableEntry, type Writer } from './writer.ts';

const TIMEOUT_MS = 60_000;

/** Writes the dialect `service`: nested entries, seconds, one rule for all failures of a file. */
export const serviceWriter: Writer = {
  events: [
    ['PreToolUse', 'before_tool_call'],
    ['PostToolUse', 'after_tool_call_success'],
    ['PostToolUseFailure', 'after_tool_call_failure'],
    ['PermissionRequest', 'before_permission_request'],
    ['UserPromptSubmit', 'before_user_message', 'main'],
    ['SessionStart', 'after_session_started', 'main'],
    ['SessionEnd', 'after_session_ended', 'main'],
    ['Stop', 'before_stop', 'main'],
    ['SubagentStop', 'before_stop', 'subagent'],
    ['Notification', 'after_notification'],
    ['Compaction', 'before_compaction'],
  ],
  write(entries, maxConcurrent) {
    const { content, paths } = writeNested(
      entries.map(({ entry, eventName, model, command }) => ({
        eventName,
        group: defined({ name: entry.name, matcher: writeMatcher(model) }),
        handler: defined({
          type: 'command',
          command,
          timeout: entry.timeoutMs === TIMEOUT_MS ? undefined : entry.timeoutMs / 1_000,
          statusMessage: entry.statusMessage,
        }),
      })),
    );
    const behaviors = writeBehaviors(entries);
    const limit = maxConcurrent === undefined ? {} : { maxConcurrentHooks: maxConcurrent };
    const hooks = { enabled: true, ...behaviors, ...limit, ...(content.hooks as JsonObject) };
    return { content: { hooks }, paths };
  },
};

function writeMatcher({ names, regex, paths, commands, inputs }: MatcherModel): JsonObject | undefined {
  const command = typeof inputs?.command === 'string' ? inputs.command : undefined;
  const matcher = defined({
    tools: writeTools(names, regex),
    paths,
    commands: commands ?? command,
  });
  return Object.keys(matcher).length === 0 ? undefined : matcher;
}

function writeTools(names: MatcherModel['names'], regex: string | undefined): string | undefined {
  if (names !== undefined) return listOr(names, /^[\w-]+$/);
  return regex === undefined ? undefined : wrapped(regex);
}

const WORDS: Readonly<Record<Effect, string>> = { continue: 'ignore', block: 'deny', ask: 'ask' };
const STRICTEST: readonly Effect[] = ['block', 'ask', 'continue'];

const FAILURES = ['onExit', 'onLaunchError', 'onInvalidOutput'] as const;

/** Writes the behaviour for all guards of the file: nothing if each has the format's default, otherwise what the strictest guard needs. */
function writeBehaviors(entries: readonly WritableEntry[]): JsonObject {
  const gates = entries.map(({ entry }) => entry).filter(({ event }) => isGate(event));
  return defined({
    timeoutBehavior: writeBehavior(gates, ['onTimeout']),
    failureBehavior: writeBehavior(gates, FAILURES),
  });
}

function writeBehavior(gates: readonly CommandEntry[], keys: readonly (keyof Effects)[]): string | undefined {
  const isSilent = gates.every((entry) =>
    keys.every((key) => entry.effects[key] === silentEffectOn(entry.event)),
  );
  if (isSilent) return undefined;
  const strictest = STRICTEST.find((effect) =>
    gates.some(({ effects }) => keys.some((key) => effects[key] === effect)),
  );
  return WORDS[strictest ?? 'continue'];
}
