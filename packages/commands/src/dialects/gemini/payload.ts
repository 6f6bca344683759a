import type { HookToolResult, ModelRequest } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { listModelTexts } from '../../model-texts.ts';
import type { Occasion } from '../../normal-form.ts';
import { sessionSource } from '../claude/events.ts';
import { GEMINI_END } from './events.ts';

type Extra = (occasion: Occasion) => JsonObject;

const tool: Extra = ({ tool: call }) => ({ tool_name: call?.name ?? '', tool_input: call?.input ?? {} });

/** The fields of each event besides the common ones. */
const extras: Readonly<Record<string, Extra>> = {
  BeforeTool: tool,
  AfterTool: (occasion) => ({ ...tool(occasion), tool_response: makeResponse(occasion.result) }),
  BeforeAgent: ({ prompt = '' }) => ({ prompt }),
  AfterAgent: ({ prompt = '', lastAssistantMessage, keptGoing = 0 }) => ({
    prompt,
    prompt_response: lastAssistantMessage || '[no response text]',
    stop_hook_active: keptGoing > 0,
  }),
  SessionStart: (occasion) => ({ source: sessionSource(occasion) }),
  SessionEnd: () => ({ reason: GEMINI_END }),
  PreCompress: ({ compaction }) => ({ trigger: compaction?.trigger ?? 'auto' }),
  Notification: ({ notification }) => ({
    notification_type: notification?.kind === 'permission' ? 'ToolPermission' : (notification?.kind ?? ''),
    message: notification?.message ?? '',
    details: {},
  }),
  BeforeModel: ({ modelRequest }) => ({ llm_request: makeRequest(modelRequest) }),
  BeforeToolSelection: ({ modelRequest }) => ({ llm_request: makeRequest(modelRequest) }),
};

const SETTINGS = ['temperature', 'maxOutputTokens', 'topP', 'topK'];

function makeRequest(request: ModelRequest | undefined): JsonObject {
  if (request === undefined) return {};
  const { model, settings } = request;
  const config = Object.fromEntries(Object.entries(settings).filter(([name]) => SETTINGS.includes(name)));
  return { model, messages: listModelTexts(request), config };
}

function makeResponse(result: HookToolResult | undefined): JsonObject {
  const words = result?.result ?? result?.error ?? '';
  const error = result?.status === 'error' ? { error: { message: result.error ?? '' } } : {};
  return { llmContent: words, returnDisplay: '', ...error };
}

/** Makes what a hook of Gemini CLI is told. */
export function writeGeminiPayload(payload: JsonObject, occasion: Occasion): JsonObject {
  const { session_id, transcript_path, cwd, hook_event_name } = payload;
  const common = { session_id, transcript_path, cwd, hook_event_name, timestamp: occasion.timestamp };
  return { ...common, ...extras[hook_event_name as string]?.(occasion) } as JsonObject;
}
