/** What a project has in a case, and what must be seen. */
export interface ProofCase {
  readonly id: string;
  /** For the table. */
  readonly title: string;
  /** The module of the project's hooks. */
  readonly module: string;
  /** Hooks that the agent may run in part. */
  readonly accepted?: readonly string[];
  /** What is done to the project after the hooks are installed and trusted. */
  readonly sabotage?:
    | 'leave untrusted'
    | 'break the module'
    | 'change the module'
    | 'remove the launcher'
    | 'remove the program'
    | 'take the trust back';
  /** Whether the daemon answers from the first event on. Default: the first event is answered by a process of its own. */
  readonly isWarm?: true;
  /** Whether the model calls the shell twice in one answer: besides the command, with one that leaves the file of a rewritten one. */
  readonly isParallel?: true;
  /** Whether the model has a subagent call the shell. */
  readonly isDelegated?: true;
  /** Whether the command of the model may run. */
  readonly command: 'runs' | 'does not run' | 'runs rewritten';
  /** Whether the agent may refuse the prompt already, and ask its model nothing. */
  readonly orPromptRefused?: true;
  /** What the model must have been told at some time. */
  readonly told?: string;
  /** Whether the agent itself ends or hangs, and its model gets no answer. Default: it goes on. */
  readonly agent?: 'ends' | 'hangs';
  /** For agents that are documented to do otherwise: what is seen there; `refused`: the hook is; `nothing`: there is no such thing. */
  readonly otherwise?: Readonly<Record<string, Otherwise>>;
}

type Otherwise = Partial<Pick<ProofCase, 'command' | 'told' | 'agent'>> | 'refused' | 'nothing';

/** The same for all agents in whose process hooks run. */
function inProcess(otherwise: Otherwise): Readonly<Record<string, Otherwise>> {
  return { opencode: otherwise, pi: otherwise };
}

const guard = (body: string, more = ''): string => `import { defineHook } from '@spec/hooks';
${more}
export default defineHook({
  hook: 'before_tool_call', id: 'guard', match: 'Bash',
  execute: async (_, call) => { ${body} },
});
`;

const BROKEN = 'Nobody has judged this';

/** The daemon runs hooks in a thread. */
const THREAD = "import { isMainThread } from 'node:worker_threads';";

/** The first is the control: where its command does not run, no other case shows anything. */
export const proofCases: readonly ProofCase[] = [
  { id: 'allow', title: 'no objection', module: guard('return null;'), command: 'runs' },
  {
    id: 'deny',
    title: 'a deny holds, and the model gets the reason',
    module: guard("return { decision: 'deny', reason: 'REASON-OF-GUARD' };"),
    command: 'does not run',
    told: 'REASON-OF-GUARD',
  },
  {
    id: 'ask',
    title: 'an ask that nobody answers is a deny',
    module: guard("return { decision: 'ask', reason: 'REASON-OF-GUARD' };"),
    command: 'does not run',
  },
  {
    id: 'rewrite',
    title: 'rewritten arguments run, and never the old ones',
    module: guard(
      "return { input: { command: String(call.input.command).replace('marker', 'rewritten') } };",
    ),
    command: 'runs rewritten',
    otherwise: { qwen: { command: 'does not run' } },
  },
  {
    id: 'context',
    title: 'context reaches the model with the prompt',
    module: `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_user_message', id: 'adds', execute: async () => ({ context: 'CONTEXT-OF-HOOK' }) });`,
    command: 'runs',
    told: 'CONTEXT-OF-HOOK',
  },
  {
    id: 'result',
    title: 'a changed result reaches the model',
    module: `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_store_tool_result', id: 'changes', execute: async (_, call, result) => ({ ...result, result: 'RESULT-OF-HOOK' }) });`,
    accepted: ['changes'],
    command: 'runs',
    told: 'RESULT-OF-HOOK',
    otherwise: { qwen: 'refused' },
  },
  {
    id: 'stop',
    title: 'a turn is kept going, eight times at the most',
    module: `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_stop', id: 'goes_on', execute: async () => ({ keepGoing: 'GO-ON-SAYS-HOOK' }) });`,
    command: 'runs',
    told: 'GO-ON-SAYS-HOOK',
    otherwise: { opencode: 'refused' },
  },
  {
    id: 'system',
    title: 'the system message is another one',
    module: `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'after_system_message', id: 'adds', execute: async (_, text) => text + ' SYSTEM-OF-HOOK' });`,
    accepted: ['adds'],
    command: 'runs',
    told: 'SYSTEM-OF-HOOK',
    otherwise: { codex: 'refused', gemini: 'refused', qwen: 'refused' },
  },
  {
    id: 'prompt',
    title: 'a prompt is another one, or denied',
    module: `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_user_message', id: 'changes', execute: async () => ({ input: 'PROMPT-OF-HOOK' }) });`,
    command: 'does not run',
    orPromptRefused: true,
    otherwise: inProcess({ command: 'runs', told: 'PROMPT-OF-HOOK' }),
  },
  {
    id: 'throw',
    title: 'a guard that throws denies',
    module: guard("throw new Error('broken');"),
    command: 'does not run',
  },
  {
    id: 'exit',
    title: 'a guard that ends its process denies',
    module: guard('process.exit(0);'),
    command: 'does not run',
    told: BROKEN,
    otherwise: inProcess({ agent: 'ends' }),
  },
  {
    id: 'never',
    title: 'a guard that never answers denies',
    module: guard('await new Promise(() => {});'),
    command: 'does not run',
  },
  {
    id: 'hang',
    title: 'a guard that never gives the processor back denies',
    module: guard('for (;;);'),
    command: 'does not run',
    told: BROKEN,
    otherwise: inProcess({ agent: 'hangs' }),
  },
  {
    id: 'import',
    title: 'a module that cannot be loaded denies',
    module: `throw new Error('broken');`,
    sabotage: 'break the module',
    command: 'does not run',
    told: BROKEN,
  },
  {
    id: 'untrusted',
    title: 'code that nobody has trusted does not run, and the model is told',
    module: guard("return { decision: 'deny', reason: 'REASON-OF-GUARD' };"),
    sabotage: 'leave untrusted',
    command: 'runs',
    told: 'nobody on this machine has trusted their code',
  },
  {
    id: 'changed',
    title: 'code that has changed since it was trusted denies',
    module: guard('return null;'),
    sabotage: 'change the module',
    command: 'does not run',
    told: 'has changed since it was trusted',
  },
  {
    id: 'launcher',
    title: 'a launcher that is gone denies',
    orPromptRefused: true,
    module: guard('return null;'),
    sabotage: 'remove the launcher',
    command: 'does not run',
    told: BROKEN,
    otherwise: inProcess('nothing'),
  },
  {
    id: 'program',
    title: 'spec-hooks that is gone denies',
    module: guard('return null;'),
    sabotage: 'remove the program',
    command: 'does not run',
    told: BROKEN,
  },
  {
    id: 'warm',
    title: 'the daemon denies',
    module: guard(
      "return { decision: 'deny', reason: isMainThread ? 'REASON-OF-PROCESS' : 'REASON-OF-DAEMON' };",
      THREAD,
    ),
    isWarm: true,
    otherwise: inProcess('nothing'),
    command: 'does not run',
    told: 'REASON-OF-DAEMON',
  },
  {
    id: 'killed',
    title: 'a daemon that is killed in the middle denies',
    module: guard("if (!isMainThread) process.kill(process.pid, 'SIGKILL'); return null;", THREAD),
    isWarm: true,
    otherwise: inProcess('nothing'),
    command: 'does not run',
    told: BROKEN,
  },
  {
    id: 'changed-warm',
    title: 'the daemon denies when code has changed since it was trusted',
    module: guard('return null;'),
    isWarm: true,
    otherwise: inProcess('nothing'),
    sabotage: 'change the module',
    command: 'does not run',
    told: 'has changed since it was trusted',
  },
  {
    id: 'untrusted-warm',
    title: 'the daemon runs no code that is trusted no longer',
    module: guard("return { decision: 'deny', reason: 'REASON-OF-GUARD' };"),
    isWarm: true,
    otherwise: inProcess('nothing'),
    sabotage: 'take the trust back',
    command: 'runs',
    told: 'nobody on this machine has trusted their code',
  },
  {
    id: 'parallel',
    title: 'of two calls in one answer the daemon denies one, and the other runs',
    module: guard(
      "return String(call.input.command ?? call.input.cmd).includes('marker') ? { decision: 'deny', reason: 'REASON-OF-GUARD' } : null;",
    ),
    isWarm: true,
    otherwise: inProcess('nothing'),
    isParallel: true,
    command: 'runs rewritten',
    told: 'REASON-OF-GUARD',
  },
  {
    id: 'subagent',
    title: 'a call of a subagent is denied',
    module: guard("return { decision: 'deny', reason: 'REASON-OF-GUARD' };"),
    isDelegated: true,
    otherwise: { pi: 'nothing' },
    command: 'does not run',
    told: 'REASON-OF-GUARD',
  },
];
