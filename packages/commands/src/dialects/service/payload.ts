import type { JsonObject } from 'type-fest';
import type { Occasion } from '../../normal-form.ts';

/** The JSON text that a hook is given on its standard input (§12e.4). */
export function writeServicePayload(eventName: string, occasion: Occasion): string {
  const { executionId, timestamp, projectDir, sessionId, permissionMode } = occasion;
  return JSON.stringify({
    hook_event_name: eventName,
    hook_execution_id: executionId,
    timestamp,
    ...writeTool(occasion),
    ...extras[eventName]?.(occasion),
    project_dir: projectDir,
    session_id: sessionId,
    permission_mode: permissionMode,
  });
}

function writeTool({ tool }: Occasion): JsonObject {
  return tool === undefined ? {} : { tool_name: tool.name, tool_use_id: tool.id, tool_input: tool.input };
}

const stop = ({ reason, keptGoing = 0, isSubagent, agentId }: Occasion): JsonObject => ({
  stop_reason: reason ?? null,
  stop_hook_active: keptGoing > 0,
  ...(isSubagent ? { agent_type: agentId } : {}),
});

/** What events tell besides the common fields and the tool call. */
const extras: Readonly<Record<string, (occasion: Occasion) => JsonObject>> = {
  PostToolUse: ({ result }) => ({
    tool_response: { success: result?.status !== 'error', llmContent: result?.result ?? '' },
  }),
  PostToolUseFailure: ({ result }) => ({ error: result?.error ?? '' }),
  UserPromptSubmit: ({ prompt = '' }) => ({ prompt }),
  Stop: stop,
  SubagentStop: stop,
  Notification: ({ notification }) => ({
    notification_type: notification?.kind ?? '',
    message: notification?.message ?? '',
  }),
  Compaction: ({ compaction }) => ({
    trigger: compaction?.trigger ?? 'auto',
    ...(compaction?.preTokens === undefined ? {} : { pre_tokens: compaction.preTokens }),
    message_count: compaction?.messageCount ?? 0,
  }),
};
