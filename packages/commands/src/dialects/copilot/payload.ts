import type { JsonObject } from 'type-fest';
import type { Occasion } from '../../normal-form.ts';
import { sessionSource } from '../claude/events.ts';
import { isPascal, notificationWord } from './events.ts';
import { nameInClaude, nameInCopilot } from './names.ts';

type Extra = (occasion: Occasion) => JsonObject;

const words = ({ result }: Occasion): string => result?.result ?? result?.error ?? '';
const args: Extra = ({ tool }) => ({
  toolName: nameInCopilot(tool?.name ?? ''),
  toolArgs: tool?.input ?? {},
});
const claudeTool: Extra = ({ tool }) => ({
  tool_name: nameInClaude(tool?.name ?? ''),
  tool_input: tool?.input ?? {},
});
const withId: Extra = (occasion) => ({ ...claudeTool(occasion), tool_use_id: occasion.tool?.id ?? '' });
const isActive = ({ keptGoing = 0 }: Occasion): JsonObject => ({ stop_hook_active: keptGoing > 0 });
const note: Extra = (occasion) => ({
  message: occasion.notification?.message ?? '',
  notification_type: notificationWord(occasion),
});
const prompt: Extra = ({ prompt: said = '' }) => ({ prompt: said });
const source: Extra = (occasion) => ({ source: sessionSource(occasion) });
const ended: Extra = () => ({ reason: 'complete' });

/** The fields of each event besides the common ones, by the name that the file gives it. */
const extras: Readonly<Record<string, Extra>> = {
  preToolUse: args,
  permissionRequest: ({ tool }) => ({
    toolName: nameInCopilot(tool?.name ?? ''),
    toolInput: tool?.input ?? {},
  }),
  postToolUse: (occasion) => ({
    ...args(occasion),
    toolResult: { resultType: 'success', textResultForLlm: words(occasion) },
  }),
  postToolUseFailure: (occasion) => ({ ...args(occasion), error: words(occasion) }),
  userPromptSubmitted: prompt,
  sessionStart: source,
  sessionEnd: ended,
  agentStop: (occasion) => ({ transcriptPath: '', stopReason: 'end_turn', ...isActive(occasion) }),
  subagentStart: ({ agentId }) => ({ agentName: agentId, transcriptPath: '' }),
  subagentStop: (occasion) => ({
    agentId: occasion.threadId,
    agentType: occasion.agentId,
    agentName: occasion.agentId,
    response: occasion.lastAssistantMessage ?? '',
    transcriptPath: '',
    ...isActive(occasion),
  }),
  preCompact: ({ compaction }) => ({
    trigger: compaction?.trigger ?? 'auto',
    customInstructions: '',
    transcriptPath: '',
  }),
  notification: note,
  PreToolUse: withId,
  PermissionRequest: claudeTool,
  PostToolUse: (occasion) => ({
    ...withId(occasion),
    tool_response: words(occasion),
    tool_result: { result_type: 'success', text_result_for_llm: words(occasion) },
  }),
  PostToolUseFailure: (occasion) => ({ ...withId(occasion), error: words(occasion) }),
  UserPromptSubmit: prompt,
  SessionStart: source,
  SessionEnd: ended,
  Stop: (occasion) => ({ stop_reason: 'end_turn', ...isActive(occasion) }),
  SubagentStart: ({ threadId, agentId }) => ({ agent_id: threadId, agent_type: agentId }),
  SubagentStop: (occasion) => ({
    agent_id: occasion.threadId,
    agent_type: occasion.agentId,
    ...isActive(occasion),
  }),
  PreCompact: ({ compaction }) => ({ trigger: compaction?.trigger ?? 'auto', custom_instructions: '' }),
  Notification: note,
};

/** Makes the JSON text for a hook's standard input: Copilot's fields, or for events in PascalCase those of Claude Code, as Copilot CLI and VS Code spell them. */
export function writeCopilotPayload(eventName: string, occasion: Occasion): string {
  const { sessionId, timestamp, projectDir } = occasion;
  const own = extras[eventName]?.(occasion);
  if (!isPascal(eventName))
    return JSON.stringify({ sessionId, timestamp: Date.parse(timestamp), cwd: projectDir, ...own });
  const names = { hook_event_name: eventName, hookEventName: eventName, session_id: sessionId, sessionId };
  return JSON.stringify({ ...names, timestamp, cwd: projectDir, transcript_path: '', ...own });
}
