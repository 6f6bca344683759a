import type { JsonObject } from 'type-fest';
import { cursorEvents } from '../dialects/cursor/events.ts';
import { isGate } from '../gates.ts';
import type { CommandEntry } from '../normal-form.ts';
import { exactRegex, type MatcherModel } from './matcher-model.ts';
import { createLists, defined, listEvents, type WritableEntry, type Writer } from './writer.ts';

const TIMEOUT_MS = 60_000;

/** Writes the dialect `cursor`: flat entries, seconds, `failClosed`. */
export const cursorWriter: Writer = {
  takes: ['prompt'],
  events: listEvents(cursorEvents),
  write(entries) {
    const lists = createLists();
    const paths = entries.map((writable) => lists.add(writable.eventName, written(writable)));
    return { content: { version: 1, hooks: lists.hooks }, paths };
  },
};

function written({ entry, eventName, model, command }: WritableEntry): JsonObject {
  const { timeoutMs, roundLimit } = entry;
  return defined({
    ...writeHandler(entry, command),
    matcher: writeMatcher(model, eventName),
    timeout: timeoutMs === TIMEOUT_MS ? undefined : timeoutMs / 1_000,
    failClosed: isGate(entry.event) && failsClosed(entry) ? true : undefined,
    loop_limit: roundLimit === Number.MAX_SAFE_INTEGER ? null : roundLimit,
  });
}

function writeHandler({ handler }: CommandEntry, command: string | undefined): JsonObject {
  if (handler.type !== 'prompt') return defined({ command });
  return defined({ type: 'prompt', prompt: handler.prompt, model: handler.model });
}

function writeMatcher({ names, regex, commands, word }: MatcherModel, eventName: string): string | undefined {
  const { tested, testsLine, isTool } = cursorEvents[eventName] ?? {};
  if (tested === undefined) return undefined;
  if (testsLine) return commands;
  if (!isTool) return word;
  return names === undefined ? regex : exactRegex(names);
}

/** A failure that no answer causes. */
function failsClosed({ effects: { onExit, onTimeout, onLaunchError } }: CommandEntry): boolean {
  return [onExit, onTimeout, onLaunchError].some((effect) => effect !== 'continue');
}
