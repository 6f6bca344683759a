import { createHash } from 'node:crypto';
import { type HookToolCall, type HookToolResult, parseArguments, RunError, type Verdict } from '@spec/hooks';
import { joinForModel, noteUserMessage } from './answers.ts';
import type { Asked, Runner } from './runner.ts';

/** What hooks decided before a tool. */
export interface PreToolHookResult {
  readonly decision: 'allow' | 'deny' | 'ask';
  readonly reason?: string;
  /** The whole input, where hooks rewrote it. */
  readonly modifiedInput?: Record<string, unknown>;
  readonly additionalContext?: string;
  /** Answers the call: the tool need not run. */
  readonly result?: HookToolResult;
}

/** What hooks say after a tool. */
export interface PostToolHookResult {
  /** To be put behind the tool's result. */
  readonly additionalContext?: string;
  /** What takes the result's place. */
  readonly modifiedContent?: string;
}

/** What a tool gave. */
export interface ToolOutcome {
  readonly success: boolean;
  readonly llmContent?: string;
}

type ToolUse = [
  toolName: string,
  toolUseId: string,
  toolInput: Record<string, unknown>,
  sessionId: string,
  projectDir?: string,
  permissionMode?: string,
];

type FinishedToolUse<Outcome> = [
  toolName: string,
  toolUseId: string,
  toolInput: Record<string, unknown>,
  outcome: Outcome,
  sessionId: string,
  projectDir?: string,
  permissionMode?: string,
];

/** The functions about tool calls. Asked twice about the same call, they answer as the first time. */
export interface ToolFunctions {
  onPreToolUse(...call: ToolUse): Promise<PreToolHookResult>;
  onPostToolUse(...call: FinishedToolUse<ToolOutcome>): Promise<PostToolHookResult>;
  onPostToolUseFailure(...call: FinishedToolUse<string>): Promise<void>;
  onPermissionRequest(
    toolName: string,
    toolInput: Record<string, unknown>,
    sessionId: string,
  ): Promise<'approve' | 'deny' | 'ask'>;
}

export function toolFunctions(runner: Runner): ToolFunctions {
  const once = createOnce();
  return {
    onPreToolUse(...[name, id, input, sessionId, projectDir, permissionMode]) {
      const asked = runner.in({ sessionId, projectDir, permissionMode });
      const question = { event: 'before', sessionId, toolUseId: id, about: [name, input] };
      return once(question, async () =>
        preToolResult(await asked.chainForModel('before_tool_call', makeCall(id, name, input)), asked),
      );
    },
    onPostToolUse(...[name, id, input, outcome, sessionId, projectDir, permissionMode]) {
      const asked = runner.in({ sessionId, projectDir, permissionMode });
      const question = { event: 'after', sessionId, toolUseId: id, about: [name, input, outcome] };
      const { llmContent: content = '' } = outcome;
      return once(question, async () => {
        const result = { status: 'success' as const, result: content };
        const after = await asked.chainForModel('after_tool_call_success', makeCall(id, name, input), result);
        return postToolResult(content, after.result ?? '', asked);
      });
    },
    async onPostToolUseFailure(...[name, id, input, error, sessionId, projectDir, permissionMode]) {
      const asked = runner.in({ sessionId, projectDir, permissionMode });
      const question = { event: 'failed', sessionId, toolUseId: id, about: [name, input, error] };
      const result = { status: 'error' as const, error };
      await once(question, () => asked.chain('after_tool_call_failure', makeCall(id, name, input), result));
    },
    async onPermissionRequest(name, input, sessionId) {
      const asked = runner.in({ sessionId });
      const toolCall = makeCall(crypto.randomUUID(), name, input);
      const verdict = await asked.chain('before_permission_request', { toolCall });
      noteUserMessage(verdict, asked);
      if (verdict.decision === 'allow') return 'approve';
      return verdict.decision === 'deny' ? 'deny' : 'ask';
    },
  };
}

function makeCall(id: string, name: string, input: Record<string, unknown>): HookToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

function preToolResult(verdict: Verdict<HookToolCall>, asked: Asked): PreToolHookResult {
  const { decision, reason, context, subject, rewrittenBy, result } = verdict;
  noteUserMessage(verdict, asked);
  const additionalContext = joinForModel([...context, ...asked.contexts()]);
  const modifiedInput = rewrittenBy.length === 0 ? undefined : parseArguments(subject);
  return {
    decision: decision ?? 'allow',
    ...(reason === undefined ? {} : { reason }),
    ...(modifiedInput === undefined ? {} : { modifiedInput }),
    ...(additionalContext === undefined ? {} : { additionalContext }),
    ...(result === undefined ? {} : { result }),
  };
}

/** What hooks put behind a result stands under this line (§12e.10); the loop writes it itself. */
const HEADING = '\n\n[Hook Context]\n';

function postToolResult(before: string, after: string, asked: Asked): PostToolHookResult {
  const isKept = after.startsWith(before);
  const added = isKept ? after.slice(before.length) : '';
  const behind = added.startsWith(HEADING) ? added.slice(HEADING.length) : added;
  const additionalContext = joinForModel([behind, ...asked.contexts()]);
  return {
    ...(additionalContext === undefined ? {} : { additionalContext }),
    ...(isKept ? {} : { modifiedContent: after }),
  };
}

/** Answers that are remembered; the oldest is forgotten first. */
const REMEMBERED = 1_000;

/** What is the same question: an event of one tool call, with the same input. */
interface Question {
  readonly event: string;
  readonly sessionId: string;
  readonly toolUseId: string;
  /** What JSON can hold. */
  readonly about: unknown;
}

/**
 * The guard against running twice for one tool call (§12e.5). Who asks again gets the first answer, a deny as well as an allow;
 * another input under the same id is another question.
 */
function createOnce(): <Answer>(question: Question, run: () => Promise<Answer>) => Promise<Answer> {
  const answers = new Map<string, Promise<unknown>>();
  return <Answer>(question: Question, run: () => Promise<Answer>): Promise<Answer> => {
    const key = makeKey(question);
    const known = answers.get(key);
    if (known !== undefined) return known as Promise<Answer>;
    const answer = run();
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    if (answers.size > REMEMBERED) answers.delete(answers.keys().next().value as string);
    return answer;
  };
}

/** @throws {RunError} `invalid_input` */
function makeKey({ event, sessionId, toolUseId, about }: Question): string {
  return createHash('sha256')
    .update(writeQuestion([event, sessionId, toolUseId, about]))
    .digest('base64');
}

function writeQuestion(question: readonly unknown[]): string {
  try {
    return JSON.stringify(question);
  } catch {
    throw new RunError(
      'invalid_input',
      'The hooks cannot be asked: what the tool is given, or gave, is not JSON.',
    );
  }
}
