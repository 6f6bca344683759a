// The dialect `gemini`: reads the settings of Gemini CLI and understands its answers. The table of dialects in `load` lists it; it never starts a command.

import type { JsonObject } from 'type-fest';
import { isObject } from '../../json-object.ts';
import type { Dialect } from '../../normal-form.ts';
import { createVariant } from '../claude/index.ts';
import type { ClaudeVariant, Switches } from '../claude/variant.ts';
import { readGeminiAnswer, writeContextBehind } from './answer.ts';
import { geminiEvents, geminiUnsupported } from './events.ts';
import { writeGeminiPayload } from './payload.ts';

/** Keys that older files have between the events. */
const OLD_KEYS = ['enabled', 'disabled', 'notifications'];

/** Gemini CLI 0.61.0, as it was observed. */
export const geminiVariant: ClaudeVariant = {
  name: 'gemini',
  events: geminiEvents,
  unsupported: geminiUnsupported,
  types: ['command'],
  keys: ['name', 'env', 'sequential'],
  keysInHooks: OLD_KEYS,
  readSwitches,
  timeouts: { seconds: { command: 60 }, unit: 'milliseconds' },
  searchesNames: true,
  comparesWords: true,
  decisions: ['deny'],
  readAnswer: readGeminiAnswer,
  writePayload: writeGeminiPayload,
  fillsVariables: true,
  listVariables: ({ sessionId }) => ({ GEMINI_SESSION_ID: sessionId }),
  given: {
    names: ['GEMINI_PROJECT_DIR', 'GEMINI_CWD', 'GEMINI_SESSION_ID', 'CLAUDE_PROJECT_DIR'],
    instead: 'The input of a hook is JSON on its standard input: read it with jq -r .tool_input.command.',
  },
};

/** The dialect of Gemini CLI's settings files: groups of commands, milliseconds, and answers that count on every exit code. */
export const gemini: Dialect = {
  ...createVariant(geminiVariant),
  recognises: ({ hooks }) => isObject(hooks) && Object.keys(hooks).some((key) => OWN_EVENTS.includes(key)),
  contextBehindResult: writeContextBehind,
};

/** Events that no other agent has. */
const OWN_EVENTS = [...Object.keys(geminiEvents), ...Object.keys(geminiUnsupported)].filter((name) =>
  /^(?:Before|After)[A-Z]|^PreCompress$/.test(name),
);

function readSwitches({ hooks, hooksConfig, tools }: JsonObject): Switches {
  const config = isObject(hooksConfig) ? hooksConfig : {};
  const old = isObject(hooks) ? hooks : {};
  const off = [config.disabled, old.disabled].flatMap((list) => (Array.isArray(list) ? list : []));
  return {
    allBy: findOff([
      [config.enabled, ['hooksConfig', 'enabled']],
      [old.enabled, ['hooks', 'enabled']],
      [isObject(tools) ? tools.enableHooks : undefined, ['tools', 'enableHooks']],
    ]),
    isOff: (names) => names.some((name) => off.includes(name)),
  };
}

function findOff(flags: readonly (readonly [value: unknown, path: readonly string[]])[]): Switches['allBy'] {
  const path = flags.find(([value]) => value === false)?.[1];
  return path && { words: `"${path.join('.')}": false`, path };
}
