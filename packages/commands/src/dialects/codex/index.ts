// The dialect `codex`: reads hooks.json and config.toml of Codex CLI and understands its answers. The table of dialects in `load` lists it; it never starts a command.

import type { JsonObject } from 'type-fest';
import { isObject } from '../../json-object.ts';
import type { Dialect, HandlerAnswer, Occasion } from '../../normal-form.ts';
import { changeEvents, unsupportedEvents } from '../claude/events.ts';
import { createVariant } from '../claude/index.ts';
import type { ClaudeVariant, Switches } from '../claude/variant.ts';
import { findFault } from './faults.ts';

const EVENTS =
  'PreToolUse PermissionRequest PostToolUse UserPromptSubmit SessionStart SessionEnd SubagentStart SubagentStop Stop PreCompact';

/** The events of Claude Code that it has, with what it does otherwise. */
const events = changeEvents(EVENTS.split(' '), {
  PermissionRequest: { ignoresExit2: undefined },
  PostToolUse: { blocking: 'replace', alsoAt: 'after_tool_call_failure' },
  SubagentStart: { textIsContext: true },
  SubagentStop: { needsJson: true },
  Stop: { needsJson: true },
  PreCompact: { continueDenies: true },
});

/** Other names of a tool, by which matchers find it. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  apply_patch: ['Edit', 'Write'],
  Edit: ['apply_patch'],
  Write: ['apply_patch'],
  spawn_agent: ['Agent'],
  Agent: ['spawn_agent'],
};

/** Codex CLI 0.169.0, as it was observed. */
export const codexVariant: ClaudeVariant = {
  name: 'codex',
  events,
  unsupported: {
    PostCompact: unsupportedEvents.PostCompact as string,
    Interrupt: 'it would have run when a person interrupts a turn',
  },
  types: ['command', 'mcp_tool'],
  keys: ['async', 'statusMessage', 'commandWindows', 'command_windows', 'additionalContextLimit'],
  // What a person has reviewed is kept there, by Codex.
  keysInHooks: ['state'],
  readSwitches,
  timeouts: {
    seconds: { command: 600, mcp_tool: 600 },
    most: { SessionEnd: 1 },
    limit: { SessionEnd: 3 },
    least: 1,
  },
  list: { isList: /^\w*(?:\|\w*)*$/, isName: /^\w+$/, separator: '|' },
  listNames: (name) => [name, ...(Object.hasOwn(ALIASES, name) ? (ALIASES[name] as readonly string[]) : [])],
  decisions: ['approve', 'block'],
  pickOutput,
  findFault,
  blocksWithWords: true,
  writePayload,
  given: {
    names: ['PLUGIN_ROOT', 'PLUGIN_DATA', 'CLAUDE_PLUGIN_ROOT', 'CLAUDE_PLUGIN_DATA'],
    instead: 'The input of a hook is JSON on its standard input: read it with jq -r .tool_input.command.',
  },
};

/** The dialect of the hooks of Codex: Claude Code's form, and answers that must fit exactly. */
export const codex: Dialect = createVariant(codexVariant);

/** `codex_hooks` is the older name. */
function readSwitches({ features }: JsonObject): Switches {
  const given = isObject(features) ? features : {};
  const name = ['hooks', 'codex_hooks'].find((one) => given[one] === false);
  return name === undefined
    ? {}
    : { allBy: { words: `"features.${name}": false`, path: ['features', name] } };
}

/** Standard output is read after success alone. */
function pickOutput(given: HandlerAnswer): HandlerAnswer {
  const { cut: _, ...rest } = given;
  return given.exitCode === 0 ? given : { ...rest, stdout: new Uint8Array() };
}

/** Fields that it does not tell on an event, or at all. */
const UNTOLD: Readonly<Record<string, readonly string[]>> = {
  PermissionRequest: ['permission_suggestions'],
  PreCompact: ['permission_mode', 'custom_instructions'],
  SessionEnd: ['permission_mode'],
};

/** Its fields. Which model answers, and the id of the turn, nobody knows here. */
function writePayload(payload: JsonObject, { isSubagent, lastAssistantMessage }: Occasion): JsonObject {
  const eventName = payload.hook_event_name as string;
  const untold = Object.hasOwn(UNTOLD, eventName) ? UNTOLD[eventName] : [];
  const told = Object.entries(payload).filter(([key]) => !untold?.includes(key));
  const isStop = 'stop_hook_active' in payload;
  return {
    ...Object.fromEntries(told),
    transcript_path: payload.transcript_path || null,
    ...(isStop ? { last_assistant_message: lastAssistantMessage ?? null } : {}),
    ...(isStop && isSubagent ? { agent_transcript_path: null } : {}),
  } as JsonObject;
}
