import type { JsonObject } from 'type-fest';
import type { Dialect } from '../normal-form.ts';
import { changeEvents } from './claude/events.ts';
import { createVariant } from './claude/index.ts';
import type { ClaudeVariant } from './claude/variant.ts';

/** Without its matcher. */
const always = { tested: undefined };

/** The nine events that Claude Code had in autumn 2025, as they were then. */
const EVENTS =
  'PreToolUse PostToolUse UserPromptSubmit Stop SubagentStop SessionStart SessionEnd PreCompact Notification';
const events = changeEvents(EVENTS.split(' '), {
  PreToolUse: { rewrite: 'merge' },
  SubagentStop: always,
  SessionEnd: always,
  PreCompact: { blocking: 'tell' },
  Notification: always,
});

/** Its modes for those of the runtime. */
const MODES: Readonly<Record<string, string>> = {
  default: 'off',
  plan: 'spec',
  bypassPermissions: 'auto-high',
};

/** Fields that it has in two spellings: its reference shows the second, scripts read either. */
const SPELLINGS: Readonly<Record<string, string>> = {
  session_id: 'sessionId',
  transcript_path: 'transcriptPath',
  permission_mode: 'permissionMode',
  hook_event_name: 'hookEventName',
  stop_hook_active: 'stopHookActive',
  custom_instructions: 'customInstructions',
};

/** Factory Droid, by its reference. */
export const factoryVariant: ClaudeVariant = {
  name: 'factory',
  events,
  unsupported: {},
  types: ['command'],
  keys: [],
  takesBareEvents: true,
  timeouts: { seconds: { command: 60 } },
  decisions: ['approve', 'block'],
  writePayload,
  given: {
    names: ['FACTORY_PROJECT_DIR', 'DROID_PLUGIN_ROOT'],
    instead: 'Here it is $FACTORY_PROJECT_DIR, and the input is JSON on standard input.',
  },
};

/** The dialect of Factory Droid's settings files: Claude Code's form of autumn 2025. */
export const factory: Dialect = createVariant(factoryVariant);

function writePayload(payload: JsonObject): JsonObject {
  const mode = payload.permission_mode as string;
  const told = { ...payload, permission_mode: Object.hasOwn(MODES, mode) ? (MODES[mode] as string) : mode };
  const again = Object.entries(told).flatMap(([key, value]) => {
    const other = Object.hasOwn(SPELLINGS, key) ? SPELLINGS[key] : undefined;
    return other === undefined ? [] : [[other, value] as const];
  });
  return { ...told, ...Object.fromEntries(again) } as JsonObject;
}
