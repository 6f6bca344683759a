import type { Level } from './case.ts';

/** A sentence of the specification that asks something of somebody. */
export interface Sentence {
  /** Its section and a word: what `Case.covers` names. */
  readonly id: string;
  readonly level: Exclude<Level, 'ours'>;
  /** As it stands there, without its marks. */
  readonly says: string;
}

/** What the specification asks: each sentence with MUST, SHOULD or MAY, each "Behavior:", and what it states as a fact. */
export const specificationSentences: readonly Sentence[] = [
  {
    id: '1.2.define_hook',
    level: 'MUST',
    says: 'Each hook implementation MUST be created using defineHook() with three properties',
  },
  {
    id: '1.2.hook_type',
    level: 'MUST',
    says: 'The hook property MUST reference one of the hook types in §1.1.',
  },
  {
    id: '1.2.id',
    level: 'MUST',
    says: 'The id property MUST be unique across all hooks and follow snake_case format.',
  },
  {
    id: '1.2.several',
    level: 'MAY',
    says: 'Multiple hooks of the same type MAY exist, each with a distinct id.',
  },
  { id: '1.2.idempotent', level: 'SHOULD', says: 'Hook implementations SHOULD be idempotent.' },
  { id: '1.2.timeout', level: 'SHOULD', says: 'Runtimes SHOULD enforce a timeout on hook execution.' },
  {
    id: '1.2.no_blocking',
    level: 'SHOULD',
    says: 'Hooks SHOULD NOT perform blocking operations that could exceed that timeout.',
  },
  {
    id: '1.2.no_secrets',
    level: 'MUST',
    says: 'Hooks MUST NOT expose sensitive data in logs or error messages.',
  },
  {
    id: '1.3.scoped',
    level: 'MUST',
    says: 'Hooks are scoped to prompts and agents rather than running globally.',
  },
  {
    id: '1.3.prompt',
    level: 'MUST',
    says: 'If the active prompt declares a hooks array, only those hooks run',
  },
  {
    id: '1.3.agent',
    level: 'MUST',
    says: "If the prompt has no hooks property, the agent's hooks array is used",
  },
  { id: '1.3.none', level: 'MUST', says: 'If neither prompt nor agent declares hooks, no hooks run' },
  {
    id: '2.1.state',
    level: 'MUST',
    says: 'All hooks receive a ThreadState instance as their first parameter.',
  },
  {
    id: '2.2.execution',
    level: 'MUST',
    says: 'Since hooks run during agent execution, state.execution is always available',
  },
  {
    id: '3.1.before_context',
    level: 'MUST',
    says: 'Called before messages are assembled into LLM context.',
  },
  { id: '3.1.raw', level: 'MUST', says: 'Receives raw message data from storage.' },
  {
    id: '3.2.after_conversion',
    level: 'MUST',
    says: 'Called after messages are transformed into LLM chat format, before the request is sent.',
  },
  {
    id: '3.2.schema',
    level: 'MUST',
    says: 'Hooks that modify message content MUST validate inputs against an expected schema to prevent prompt-injection attacks.',
  },
  {
    id: '4.1.called',
    level: 'MUST',
    says: 'Implementations MUST call this hook before inserting any message',
  },
  { id: '4.1.used', level: 'MUST', says: 'The returned object MUST be used for insertion' },
  { id: '4.1.failure', level: 'SHOULD', says: 'Failures SHOULD prevent message creation' },
  { id: '4.2.no_change', level: 'MUST', says: 'Cannot modify the message.' },
  {
    id: '4.2.called',
    level: 'MUST',
    says: 'Implementations MUST call this hook after successful insertion',
  },
  { id: '4.2.failure', level: 'SHOULD', says: 'Failures SHOULD NOT affect the created message' },
  { id: '4.2.use', level: 'MAY', says: 'Use for logging, analytics, or triggering external systems' },
  { id: '4.3.called', level: 'MUST', says: 'Implementations MUST call this hook before updating' },
  { id: '4.3.used', level: 'MUST', says: 'The returned object MUST be used for the update' },
  { id: '4.3.failure', level: 'SHOULD', says: 'Failures SHOULD prevent the update' },
  { id: '4.4.called', level: 'MUST', says: 'Implementations MUST call this hook after successful update' },
  { id: '4.4.failure', level: 'SHOULD', says: 'Failures SHOULD NOT affect the updated message' },
  { id: '5.1.called', level: 'MUST', says: 'Called before a tool result is stored in the database.' },
  { id: '5.2.called', level: 'MUST', says: 'Called after a tool executes successfully.' },
  { id: '5.2.null', level: 'MUST', says: 'If hook returns null, the original result is used' },
  { id: '5.2.result', level: 'MUST', says: 'If hook returns a result, it replaces the original' },
  { id: '5.2.use', level: 'MAY', says: 'Use for logging, metrics, or result post-processing' },
  { id: '5.3.called', level: 'MUST', says: 'Called after a tool execution fails.' },
  { id: '5.3.null', level: 'MUST', says: 'Can return modified error or null for original.' },
  {
    id: '5.3.graceful',
    level: 'MUST',
    says: 'Hooks accessing external services MUST handle failures gracefully.',
  },
  { id: '6.1.message', level: 'MUST', says: 'interface HookMessage {' },
  { id: '6.1.tool_calls', level: 'MUST', says: 'tool_calls?: string | null;' },
  { id: '6.2.tool_call', level: 'MUST', says: 'interface HookToolCall {' },
  { id: '6.3.tool_result', level: 'MUST', says: 'interface HookToolResult {' },
  {
    id: '6.3.attachments',
    level: 'MUST',
    says: 'Hooks that inspect tool output can read these; hooks that rewrite tool results MUST preserve or replace this field deliberately.',
  },
  { id: '6.4.llm_message', level: 'MUST', says: 'interface LLMMessage {' },
  {
    id: '7.system_message',
    level: 'MUST',
    says: ') => string | Promise<string | null | undefined> | null | undefined;',
  },
  { id: '8.1.example', level: 'MUST', says: '8.1 Message Context Limiting' },
  { id: '8.2.example', level: 'MUST', says: '8.2 Logging All Tool Calls' },
  { id: '8.3.example', level: 'MUST', says: '8.3 Error Alerting' },
  { id: '8.4.example', level: 'MUST', says: '8.4 Adding Metadata to Messages' },
  { id: '8.5.example', level: 'MUST', says: '8.5 Sanitizing Sensitive Data' },
];

/** Sentences about hooks, not about runtimes: how a runtime is judged by them all the same. */
export const aboutHooks: Readonly<Record<string, string>> = {
  '1.2.idempotent': 'Whether a hook is idempotent is its own; a runtime runs it once for each message.',
  '1.2.no_blocking': 'What a hook does is its own; what one that blocked answers too late does not count.',
  '1.2.no_secrets':
    'What a hook logs is its own; what it throws is in no error and no record of the runtime.',
  '3.2.schema': 'Which schema a hook has is its own; a runtime holds it to the one that it names.',
  '5.3.graceful': 'How a hook handles failures is its own; one that does not stops no turn.',
};
