import type { AnyHook, RunRecord } from '@spec/hooks';
import {
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  memoryStore,
  type Store,
  type Thread,
} from '@spec/runtime';
import { type ScriptedToolCall, scriptedModel } from '@spec/runtime/testing';
import { onTestFinished } from 'vitest';
import { type CreateRulesOptions, createRules } from '../src/create-rules.ts';
import type { RuleInput } from '../src/rule.ts';
import type { RuleLog } from '../src/rule-hooks.ts';

/** A tool that was run, with its input. */
export interface RanTool {
  readonly name: string;
  readonly input: unknown;
}

export interface TurnSetup extends Omit<CreateRulesOptions, 'onLog'> {
  /** What the model asks for in its first step. Default: nothing. */
  readonly calls?: readonly ScriptedToolCall[];
  readonly prompt?: string;
  /** Of the tools `bash`, `write_file`, `files`, `fetch`. Default: `<name> ran`. */
  readonly execute?: (name: string, input: Record<string, unknown>) => unknown;
  /** Policies before and behind the rules. */
  readonly before?: readonly AnyHook[];
  readonly behind?: readonly AnyHook[];
  readonly store?: Store;
  readonly permissionMode?: 'default' | 'ask' | 'allow' | 'deny';
}

/** What came of a turn under rules. */
export interface RuledTurn {
  readonly thread: Thread;
  /** `role: content` */
  readonly lines: readonly string[];
  /** The contents of tool messages. */
  readonly results: readonly (string | null)[];
  readonly ran: readonly RanTool[];
  readonly logs: readonly RuleLog[];
  /** The records of the rules, not those of the hooks that they are in. */
  readonly runs: readonly RunRecord[];
}

const toolNames = ['bash', 'write_file', 'files', 'fetch', 'web_fetch', 'list_directory'];

/** One turn of an agent under rules, in a real runtime. */
export async function ruledTurn(rules: readonly RuleInput[], setup: TurnSetup = {}): Promise<RuledTurn> {
  const logs: RuleLog[] = [];
  const { hooks, close } = await createRules(rules, {
    ...(setup.deadline !== undefined && { deadline: setup.deadline }),
    onLog: (entry) => logs.push(entry),
  });
  onTestFinished(close);
  const turn = await turnUnder([...(setup.before ?? []), ...hooks, ...(setup.behind ?? [])], setup);
  return { ...turn, logs };
}

/** One turn of an agent under some policies. */
export async function turnUnder(
  policies: readonly AnyHook[],
  {
    calls = [],
    prompt = 'Go',
    execute = (name) => `${name} ran`,
    store = memoryStore(),
    permissionMode = 'default',
  }: TurnSetup,
): Promise<Omit<RuledTurn, 'logs'>> {
  const ran: RanTool[] = [];
  const answers = Array.from({ length: 20 }, () => 'Done.');
  const runtime = createRuntime({
    store,
    policies,
    models: { scripted: scriptedModel(calls.length === 0 ? answers : [{ toolCalls: calls }, ...answers]) },
    tools: toolNames.map((name) =>
      defineTool({
        name,
        parameters: { type: 'object' },
        execute: (input: unknown) => {
          ran.push({ name, input });
          return execute(name, input as Record<string, unknown>) as string;
        },
      }),
    ),
    prompts: [definePrompt({ name: 'worker', tools: toolNames })],
    agents: [defineAgent({ name: 'worker', prompt: 'worker' })],
  });
  onTestFinished(() => runtime.close());
  const thread = await runtime.createThread({ agent: 'worker', permissionMode });
  await thread.send(prompt);
  const messages = await thread.messages();
  const hookIds = new Set(policies.map(({ id }) => id));
  return {
    thread,
    ran,
    lines: messages.map(({ role, content }) => `${role}: ${content}`),
    results: messages.filter(({ role }) => role === 'tool').map(({ content }) => content),
    runs: (await thread.runs()).filter(({ id }) => !hookIds.has(id)),
  };
}

/** A call of a tool. */
export function call(name: string, input: Record<string, unknown> = {}): ScriptedToolCall {
  return { name, input };
}
