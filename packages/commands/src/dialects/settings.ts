import { compileMatcher } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { dialectTraits } from '../dialect-traits.ts';
import type {
  CommandEntry,
  CompiledEntry,
  Dialect,
  EntryAnswer,
  HandlerAnswer,
  Occasion,
} from '../normal-form.ts';
import { compileFileRegex } from '../regexes.ts';
import { readText } from '../run/read-output.ts';
import {
  allEffects,
  cannotBlock,
  type FlatEvent,
  type FlatFormat,
  type FlatMore,
  flatEntriesIn,
  readFlat,
  selectWords,
} from './flat.ts';
import { looksLikeHub } from './hub-signs.ts';
import type { Fields } from './nested/fields.ts';
import type { Report } from './nested/report.ts';
import { reportSettingsVariables, settingsVariables } from './settings-variables.ts';

/** The events of the format, by their names. */
export const settingsEvents: Readonly<Record<string, FlatEvent>> = {
  PreToolUse: { hook: 'before_tool_call', isTool: true },
  PostToolUse: { hook: 'after_tool_call_success', alsoAt: 'after_tool_call_failure', isTool: true },
  UserPromptSubmit: { hook: 'before_user_message', only: 'main' },
  SessionStart: { hook: 'after_session_started', only: 'main' },
  SessionEnd: { hook: 'after_session_ended', only: 'main' },
};

/** Events at which what a command prints is context for the model. */
const GIVES_CONTEXT = new Set(['SessionStart', 'UserPromptSubmit']);

const format: FlatFormat = { name: 'settings', events: settingsEvents, readMore };

/** The dialect of the document "Hooks System" (design §8.1): flat entries, the payload in variables. */
export const settings: Dialect = {
  ...dialectTraits.settings,
  name: 'settings',
  recognises(content) {
    const entries = flatEntriesIn(content, Object.keys(settingsEvents));
    return entries.some(([eventName]) => !/^[a-z]/.test(eventName)) && !looksLikeHub(entries);
  },
  read: (file) => readFlat(file, format),
  compile,
  strategy: () => 'serial',
};

function readMore(fields: Fields, eventName: string, report: Report): FlatMore {
  const condition = fields.text('condition');
  const blocks = fields.flag('continueOnFailure') === false;
  const isGate = eventName === 'PreToolUse';
  if (blocks && !isGate)
    cannotBlock(fields, { key: 'continueOnFailure', eventName, gates: 'PreToolUse' }, report);
  reportSettingsVariables(fields, eventName, report);
  return {
    ...(condition === undefined ? {} : { condition }),
    effects: allEffects(blocks && isGate ? 'block' : 'continue'),
    isAwaited: eventName !== 'PostToolUse',
  };
}

function compile(entry: CommandEntry): CompiledEntry {
  const { matcher, eventName, handler } = entry;
  const isTool = settingsEvents[eventName]?.isTool === true;
  const tools =
    typeof matcher === 'string' && isTool ? compileMatcher(matcher, { regex: compileFileRegex }) : undefined;
  return {
    entry,
    ...(isTool && !tools?.source.includes('(') ? { isByToolName: true } : {}),
    mismatch({ tool }) {
      return tools === undefined || tool === undefined || tools.test(tool) ? undefined : tools.explain(tool);
    },
    invocation: (occasion) => ({
      handler,
      payload: makePayload(eventName, occasion),
      ...settingsVariables(eventName, occasion),
    }),
    answer: (given) => makeAnswer(eventName, given),
  };
}

/** The variables as JSON, for commands that read their standard input. */
function makePayload(eventName: string, occasion: Occasion): string {
  const { env, payloadVariables } = settingsVariables(eventName, occasion);
  const { tool, result, prompt } = occasion;
  const payloadFields: JsonObject = { event: eventName };
  for (const name of Object.keys(env)) payloadFields[name.toLowerCase()] = env[name] as string;
  if (tool !== undefined) payloadFields.input = tool.input;
  if (payloadVariables.OUTPUT !== undefined)
    payloadFields.output = JSON.parse(payloadVariables.OUTPUT) as JsonObject;
  if (prompt !== undefined && result === undefined) payloadFields.prompt = prompt;
  return JSON.stringify(payloadFields);
}

function makeAnswer(eventName: string, given: HandlerAnswer): EntryAnswer {
  const { exitCode } = given;
  if (exitCode !== 0) {
    const why = `it exited with ${exitCode}`;
    return { failure: { effect: 'onExit', why }, reason: `Hook blocked: ${selectWords(given) || why}` };
  }
  if (!GIVES_CONTEXT.has(eventName)) return {};
  const context = readText(given)?.trim();
  if (context === undefined)
    return { failure: { effect: 'onInvalidOutput', why: 'its output is not UTF-8' } };
  return context === '' ? {} : { context };
}
