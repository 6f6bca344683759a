import type { HookToolResult } from '@spec/hooks';
import type { JsonObject, JsonValue } from 'type-fest';
import type { Occasion } from '../../normal-form.ts';
import { notificationType, SESSION_END, sessionSource } from './events.ts';
import type { ClaudeVariant } from './variant.ts';

type Extra = (occasion: Occasion) => JsonObject;

const tool: Extra = ({ tool: call }) => ({ tool_name: call?.name ?? '', tool_input: call?.input ?? {} });
const toolId: Extra = ({ tool: call }) => ({ tool_use_id: call?.id ?? '' });
const duration: Extra = ({ toolMs }) => (toolMs === undefined ? {} : { duration_ms: toolMs });

const stop: Extra = ({ keptGoing = 0, lastAssistantMessage }) => ({
  stop_hook_active: keptGoing > 0,
  ...(lastAssistantMessage === undefined ? {} : { last_assistant_message: lastAssistantMessage }),
});

/** The fields of each event besides the common ones. */
const extras: Readonly<Record<string, Extra>> = {
  PreToolUse: (occasion) => ({ ...tool(occasion), ...toolId(occasion) }),
  PostToolUse: (occasion) => ({
    ...tool(occasion),
    tool_response: occasion.result === undefined ? '' : makeResponse(occasion.result),
    ...toolId(occasion),
    ...duration(occasion),
  }),
  PostToolUseFailure: (occasion) => ({
    ...tool(occasion),
    ...toolId(occasion),
    error: occasion.result?.error ?? '',
    is_interrupt: false,
    ...duration(occasion),
  }),
  PostToolBatch: ({ batch = [] }) => ({
    tool_calls: batch.map(({ tool: call, result }) => ({
      tool_name: call.name,
      tool_input: call.input,
      tool_use_id: call.id,
      tool_response: makeResponse(result),
    })),
  }),
  PermissionRequest: (occasion) => ({ ...tool(occasion), permission_suggestions: [] }),
  UserPromptSubmit: ({ prompt = '' }) => ({ prompt }),
  SessionStart: (occasion) => ({ source: sessionSource(occasion) }),
  SessionEnd: () => ({ reason: SESSION_END }),
  Stop: stop,
  SubagentStop: (occasion) => ({ ...stop(occasion), agent_transcript_path: '' }),
  PreCompact: ({ compaction }) => ({ trigger: compaction?.trigger ?? 'auto', custom_instructions: '' }),
  Notification: (occasion) => ({
    message: occasion.notification?.message ?? '',
    notification_type: notificationType(occasion),
  }),
};

/** Makes the JSON text for a hook's standard input. */
export function writeClaudePayload(
  eventName: string,
  occasion: Occasion,
  { transcriptPath, variant }: { readonly transcriptPath: string; readonly variant: ClaudeVariant },
): string {
  const { sessionId, projectDir, permissionMode, isSubagent, threadId, agentId } = occasion;
  const payload: JsonObject = {
    session_id: sessionId,
    transcript_path: transcriptPath,
    cwd: projectDir,
    permission_mode: writeMode(permissionMode),
    hook_event_name: eventName,
    ...(isSubagent ? { agent_id: threadId, agent_type: agentId } : {}),
    ...extras[eventName]?.(occasion),
  };
  return JSON.stringify(variant.writePayload?.(payload, occasion) ?? payload);
}

/** The runtime's permission modes that the format names differently. */
const MODES: Readonly<Record<string, string>> = {
  ask: 'default',
  allow: 'bypassPermissions',
  deny: 'dontAsk',
};

function writeMode(mode: string): string {
  return Object.hasOwn(MODES, mode) ? (MODES[mode] as string) : mode;
}

/** A tool's result: its value if it is a JSON object or list, otherwise its text. */
export function makeResponse({ status, result, error }: HookToolResult): JsonValue {
  const text = (status === 'error' ? error : result) ?? '';
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
