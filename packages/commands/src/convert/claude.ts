import type { JsonObject } from 'type-fest';
import { claudeVariant } from '../dialects/claude/claude-variant.ts';
import { defaultSeconds } from '../dialects/claude/timeouts.ts';
import { type ClaudeVariant, hasKey, type OwnKey } from '../dialects/claude/variant.ts';
import { codexVariant } from '../dialects/codex/index.ts';
import { factoryVariant } from '../dialects/factory.ts';
import { geminiVariant } from '../dialects/gemini/index.ts';
import { qwenVariant } from '../dialects/qwen.ts';
import { isAboutTool } from '../members/events.ts';
import type { CommandEntry, Effect } from '../normal-form.ts';
import { exactRegex, listOr, type MatcherModel, wrapped } from './matcher-model.ts';
import { writeNested } from './nested.ts';
import { defined, listEvents, type WritableEntry, type Writer } from './writer.ts';

/** Writes the dialect `claude`: nested entries, seconds, handlers of all types. */
export const claudeWriter: Writer = makeWriter(claudeVariant);
export const qwenWriter: Writer = makeWriter(qwenVariant);
export const factoryWriter: Writer = makeWriter(factoryVariant);
export const codexWriter: Writer = makeWriter(codexVariant);
export const geminiWriter: Writer = makeWriter(geminiVariant);

function makeWriter(variant: ClaudeVariant): Writer {
  return {
    takes: variant.types,
    events: listEvents(variant.events),
    write: (entries) => writeNested(entries.map((writable) => writeItem(writable, variant))),
  };
}

function writeItem(
  { entry, eventName, model, command }: WritableEntry,
  variant: ClaudeVariant,
): Parameters<typeof writeNested>[0][number] {
  const own = <T>(key: OwnKey, value: T | undefined): T | undefined =>
    hasKey(variant, key) ? value : undefined;
  return {
    eventName,
    group: defined({
      matcher: writeMatcher(entry, model, variant),
      sequential: own('sequential', entry.isSequential ? true : undefined),
    }),
    handler: defined({
      ...writeHandler(entry, command, variant),
      if: own('if', isAboutTool(entry.event) ? model.rule : undefined),
      timeout: writeTimeout(entry, eventName, variant),
      name: own('name', entry.name),
      statusMessage: own('statusMessage', entry.statusMessage),
      async: own('async', entry.isAwaited ? undefined : true),
      once: own('once', entry.isOnce ? true : undefined),
      ...(hasKey(variant, 'onFailure') ? listEffects(entry, eventName, variant) : {}),
    }),
  };
}

function writeHandler({ handler }: CommandEntry, command = '', variant: ClaudeVariant): JsonObject {
  if (handler.type !== 'command') return handler as unknown as JsonObject;
  const { args, env, cwd } = handler;
  const takesArgs = args !== undefined && env === undefined && hasKey(variant, 'args');
  const takesEnv = env !== undefined && args === undefined && hasKey(variant, 'env');
  if (cwd !== undefined || !(takesArgs || takesEnv)) return { type: 'command', command };
  return {
    type: 'command',
    command: handler.command,
    ...(takesArgs ? { args: [...args] } : { env: { ...env } }),
  };
}

function writeMatcher(
  { event }: CommandEntry,
  { names, regex, word }: MatcherModel,
  { list, searchesNames }: ClaudeVariant,
): string | undefined {
  if (!isAboutTool(event)) return word;
  // Where each matcher is an expression, names are one that fits nothing else.
  if (names !== undefined && searchesNames && list === undefined) return exactRegex(names);
  if (names !== undefined) return listOr(names, list?.isName ?? /^[\w -]+$/);
  return regex === undefined ? undefined : wrapped(regex);
}

function writeTimeout(
  { timeoutMs, handler: { type } }: CommandEntry,
  eventName: string,
  { timeouts }: ClaudeVariant,
): number | undefined {
  const seconds = timeoutMs / 1_000;
  if (seconds === defaultSeconds({ eventName, type, timeouts })) return undefined;
  if (timeouts.unit !== undefined) return timeoutMs;
  const { millisecondsFrom = Number.POSITIVE_INFINITY } = timeouts;
  return type === 'command' && seconds >= millisecondsFrom ? timeoutMs : seconds;
}

/** The effects of failures. In this format a failure never blocks unless an entry says so. */
function listEffects(
  { effects, isAwaited }: CommandEntry,
  eventName: string,
  { events }: ClaudeVariant,
): Record<string, Effect | undefined> {
  if (events[eventName]?.refusesFailures === undefined || !isAwaited) return {};
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
