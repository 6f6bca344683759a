import type { AnyHook } from '@spec/hooks';
import {
  type AgentDefinition,
  type AiHumanAgent,
  createRuntime,
  defineAgent,
  definePrompt,
  type PromptDefinition,
  type Runtime,
  type RuntimeOptions,
  type Store,
} from '../src/index.ts';
import { type ScriptedModel, type ScriptedStep, scriptedModel } from '../src/testing/index.ts';

/** What a test's runtime has: one agent named `agent` with one prompt named `prompt`, and a model that follows a script. */
export interface Setup extends Omit<Partial<RuntimeOptions>, 'agents' | 'prompts'> {
  readonly script?: readonly ScriptedStep[];
  readonly hooks?: readonly AnyHook[];
  readonly prompt?: Partial<PromptDefinition>;
  readonly agent?: Partial<AiHumanAgent>;
  /** Besides `agent`. */
  readonly agents?: readonly AgentDefinition[];
  /** Besides `prompt`. */
  readonly prompts?: readonly PromptDefinition[];
}

export interface Started {
  readonly runtime: Runtime;
  readonly model: ScriptedModel;
}

/** Starts a runtime over a store; needs no test framework. */
export function startRuntime(store: Store, setup: Setup): Started {
  const { script = [], prompt, agent, agents = [], prompts = [], hooks = [], tools = [], ...options } = setup;
  const model = scriptedModel(script);
  const runtime = createRuntime({
    models: { scripted: model },
    warnings: 'off',
    store,
    tools,
    hooks,
    agents: [defineAgent({ name: 'agent', prompt: 'prompt', ...agent }), ...agents],
    prompts: [definePrompt({ name: 'prompt', tools: tools.map(({ name }) => name), ...prompt }), ...prompts],
    ...options,
  });
  return { runtime, model };
}
