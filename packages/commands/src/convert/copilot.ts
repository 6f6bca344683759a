import type { JsonObject } from 'type-fest';
import { copilotEvents, isPascal } from '../dialects/copilot/events.ts';
import { isAboutTool } from '../members/events.ts';
import type { CommandEntry } from '../normal-form.ts';
import type { MatcherModel } from './matcher-model.ts';
import { createLists, defined, listEvents, type WritableEntry, type Writer } from './writer.ts';

const TIMEOUT_MS = 30_000;

/** Writes the dialect `copilot`: flat entries in the form of Copilot CLI, seconds. */
export const copilotWriter: Writer = {
  takes: ['http'],
  // In PascalCase its hooks are told Claude Code's fields, which most commands read.
  events: listEvents(
    Object.fromEntries(
      Object.entries(copilotEvents).toSorted(([a], [b]) => Number(isPascal(b)) - Number(isPascal(a))),
    ),
  ),
  write(entries) {
    const lists = createLists();
    const paths = entries.map((writable) => lists.add(writable.eventName, written(writable)));
    return { content: { version: 1, hooks: lists.hooks }, paths };
  },
};

function written({ entry, model, command }: WritableEntry): JsonObject {
  const { timeoutMs } = entry;
  return defined({
    ...writeHandler(entry, command),
    matcher: writeMatcher(entry, model),
    timeoutSec: timeoutMs === TIMEOUT_MS ? undefined : timeoutMs / 1_000,
  });
}

function writeHandler({ handler, form }: CommandEntry, command: string | undefined): JsonObject {
  if (handler.type !== 'command') return handler as unknown as JsonObject;
  const { args, cwd, env } = handler;
  const around = defined({ cwd, env: env === undefined ? undefined : { ...env } });
  if (args !== undefined) return { exec: handler.command, args: [...args], ...around };
  const isPlain = cwd === undefined && env === undefined;
  const line = isPlain ? (command ?? '') : handler.command;
  return { bash: line, ...(form === undefined ? {} : { linux: line, osx: line }), ...around };
}

function writeMatcher({ event }: CommandEntry, { names, regex, word }: MatcherModel): string | undefined {
  if (!isAboutTool(event)) return word;
  if (names !== undefined) return names.map((name) => name.replace(/[^\w\s-]/g, '\\$&')).join('|');
  return regex === undefined ? undefined : `.*(?:${regex}).*`;
}
