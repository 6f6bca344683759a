/** What the model is to do. */
export interface Script {
  /** What the shell is to run, each in a call of its own. */
  commands: readonly string[];
  /** Whether a subagent is to do it. */
  delegates: boolean;
}

export type Json = Record<string, unknown>;

/** A call of a tool. */
export interface Call {
  readonly name: string;
  readonly args: Json;
  /** Where the tool is one of several under a name. */
  readonly namespace?: string;
}

/** A request of an agent. */
interface Asked {
  /** All of it. */
  readonly text: string;
  /** The tools that it offers. */
  readonly offered: string;
}

/** What the model says when nothing is left to do. */
export const FINAL = 'That is all.';

/** What a subagent is told to do. It tells the conversations apart. */
const TASK = 'TASK-FOR-SUBAGENT';

/** The next calls; none where the turn ends. How far a conversation is follows from its history alone. */
export function chooseCalls(asked: Asked, { commands, delegates }: Script): readonly Call[] {
  const hasResult = /"role":"tool"|"function_call_output"|"functionResponse"/.test(asked.text);
  const isSubagent = asked.text.includes(TASK);
  if (hasResult) return delegates && isSubagent ? finishDelegated(asked) : [];
  if (!delegates || isSubagent) return commands.flatMap((command) => callShell(asked, command));
  return choose(asked, delegations);
}

function callShell(asked: Asked, command: string): readonly Call[] {
  return choose(asked, {
    exec_command: { cmd: command },
    run_shell_command: { command, description: 'try it', is_background: false },
    shell_command: { command },
    bash: { command, description: 'try it' },
  });
}

/** The tool that starts a subagent, as each agent calls it. */
const delegations: Readonly<Record<string, Json>> = {
  spawn_agent: { message: TASK },
  invoke_agent: { agent_name: 'generalist', prompt: TASK },
  task: { description: 'try it', prompt: TASK, subagent_type: 'general' },
  agent: {
    ...{ description: 'try it', prompt: TASK, subagent_type: 'general-purpose' },
    run_in_background: false,
  },
};

/** A subagent of Gemini CLI has to say that it has finished; Codex does not wait for one unless it is told to. */
function finishDelegated(asked: Asked): readonly Call[] {
  const finished = choose(asked, { complete_task: { result: FINAL } });
  const [, id] = /agent_id[\\":\s]+([\w-]+)/.exec(asked.text) ?? [];
  const hasWaited = asked.text.includes('call_wait_agent');
  if (id === undefined || hasWaited) return finished;
  return choose(asked, { wait_agent: { targets: [id], timeout_ms: 60_000 } });
}

/** The first of these tools that is offered, as a call. */
function choose({ offered }: Asked, tools: Readonly<Record<string, Json>>): readonly Call[] {
  const name = Object.keys(tools).find((one) => offered.includes(`"name":"${one}"`));
  if (name === undefined) return [];
  const isOfAgents = name === 'spawn_agent' || name === 'wait_agent';
  return [{ name, args: tools[name] ?? {}, ...(isOfAgents ? { namespace: 'multi_agent_v1' } : {}) }];
}
