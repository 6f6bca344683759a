// The dialect `cursor`: reads hooks.json of Cursor and understands its answers. The table of dialects in `load` lists it; it never starts a command.

import { compileMatcher } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { dialectTraits, folderVariables } from '../../dialect-traits.ts';
import { isObject } from '../../json-object.ts';
import type { CommandEntry, CompiledEntry, Dialect, EntryAnswer, Occasion } from '../../normal-form.ts';
import { compileFileRegex } from '../../regexes.ts';
import { allowingOnly } from '../nested/allow.ts';
import { readCursorAnswer } from './answer.ts';
import { isOfKind } from './calls.ts';
import { type CursorEvent, cursorEvents, cursorUnsupported } from './events.ts';
import { CURSOR_VERSION, writeCursorPayload } from './payload.ts';
import { readCursor } from './read.ts';

/** The dialect of Cursor's hooks.json: flat entries, seconds, an event for each kind of call. */
export const cursor: Dialect = {
  ...dialectTraits.cursor,
  name: 'cursor',
  recognises,
  read: readCursor,
  compile,
  strategy: () => 'parallel',
};

/** Events that no other agent has. */
const OWN_EVENTS = [...Object.keys(cursorEvents), ...Object.keys(cursorUnsupported)].filter(
  (name) => /^(?:before|after)[A-Z]/.test(name) || name === 'stop' || name === 'workspaceOpen',
);
const OWN_KEYS = ['failClosed', 'loop_limit'];

function recognises({ hooks }: JsonObject): boolean {
  if (!isObject(hooks)) return false;
  return Object.entries(hooks).some(([name, list]) => {
    if (!Array.isArray(list)) return false;
    const hasOwnKey = (item: unknown): boolean =>
      isObject(item as JsonObject) && OWN_KEYS.some((key) => Object.hasOwn(item as object, key));
    return OWN_EVENTS.includes(name) || (/^[a-z]/.test(name) && list.some(hasOwnKey));
  });
}

/** How often a hook keeps a turn going, if its entry does not say. */
const ROUNDS = 5;

/** @throws {DefinitionError} `bad_matcher` */
function compile(entry: CommandEntry): CompiledEntry {
  const event = cursorEvents[entry.eventName] as CursorEvent;
  const regex = { regex: compileFileRegex };
  const matcher = readPattern(entry);
  const test = matcher === undefined ? undefined : compileMatcher(`/${matcher}/`, regex);
  const line =
    matcher !== undefined && event.testsLine ? compileMatcher({ commands: matcher }, regex) : undefined;
  const coversAll = ({ tool }: Occasion): boolean =>
    line === undefined || tool === undefined || line.isAll(tool);
  return {
    entry,
    ...(event.isTool && event.kind === undefined ? { isByToolName: true } : {}),
    mismatch(occasion) {
      const { tool } = occasion;
      if (event.kind !== undefined && tool !== undefined && !isOfKind[event.kind](tool))
        return `it is for calls of another kind than ${tool.name.slice(0, 64)}`;
      if (test === undefined || event.tested === undefined) return undefined;
      const fits = event.tested(occasion).some((name) => test.test({ name, input: undefined }));
      return fits ? undefined : `the matcher ${matcher} does not match`;
    },
    invocation: (occasion) => ({
      handler: filledIn(entry.handler, writeCursorPayload(entry.eventName, occasion)),
      payload: writeCursorPayload(entry.eventName, occasion),
      env: {
        ...folderVariables('cursor', { project: occasion.projectDir }),
        CURSOR_VERSION,
        CURSOR_TRANSCRIPT_PATH: '',
      },
      payloadVariables: {},
    }),
    answer: (given, occasion) =>
      withinRounds(
        entry,
        occasion,
        allowingOnly(readCursorAnswer(entry, event, given), () => coversAll(occasion)),
      ),
  };
}

/** The expression of a matcher, on whatever it is tested. */
function readPattern({ matcher }: CommandEntry): string | undefined {
  const pattern = isObject(matcher) ? matcher.commands : matcher;
  return typeof pattern === 'string' ? pattern : undefined;
}

function filledIn(handler: CommandEntry['handler'], payload: string): CommandEntry['handler'] {
  if (handler.type !== 'prompt') return handler;
  const prompt = handler.prompt.includes('$ARGUMENTS')
    ? handler.prompt.replaceAll('$ARGUMENTS', () => payload)
    : `${handler.prompt}\n\n${payload}`;
  return { ...handler, prompt };
}

function withinRounds(
  { roundLimit = ROUNDS }: CommandEntry,
  { keptGoing = 0 }: Occasion,
  answer: EntryAnswer,
): EntryAnswer {
  if (!answer.keepsGoing || keptGoing < roundLimit) return answer;
  const { keepsGoing: _, reason: __, ...said } = answer;
  return { ...said, uncounted: `it has kept the turn going ${roundLimit} times, which is its limit` };
}
