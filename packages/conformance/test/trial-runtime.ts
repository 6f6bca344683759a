import type { LLMMessage, StandardSchema } from '@spec/hooks';
import {
  type AgentDefinition,
  type AnyTool,
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  type LanguageModel,
  type PromptDefinition,
  type Runtime,
  type Store,
} from '@spec/runtime';
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import type { ModelAnswer, Setup, SubagentSetup, TrialTool } from '../src/subject.ts';
import { toLLMMessages } from './model-messages.ts';

/** What the models of a trial have been sent and have yet to say, whatever instance it is open in. */
export interface Conversation {
  readonly sent: LLMMessage[][];
  readonly main: Iterable<ScriptedStep>;
  readonly child: Iterable<ScriptedStep>;
  readonly other: Iterable<ScriptedStep>;
}

/** The scripts of a setup, from their beginning. */
export function makeConversation({ script, subagent, otherSide }: Setup): Conversation {
  return {
    sent: [],
    main: makeSteps(script),
    child: makeSteps(subagent?.script),
    other: makeSteps(otherSide?.script),
  };
}

/** A runtime for one setup, over a store; its models go on with the conversation. */
export function trialRuntime(setup: Setup, store: Store, conversation: Conversation): Runtime {
  const { hooks = [], policies = [], hookTimeout = 1_000, onAsk, stream, subagent, otherSide } = setup;
  const tools = makeTools(setup);
  const names = tools.map(({ name }) => name);
  const agents = [mainAgent(setup)];
  const prompts = [makePrompt('main', setup, names)];
  if (subagent !== undefined) {
    agents.push(defineAgent({ name: 'child', prompt: 'child', ...nameHooks(subagent.agentHooks) }));
    prompts.push(makePrompt('child', subagent, names));
  }
  if (otherSide !== undefined) prompts.push(makePrompt('other', otherSide, names));
  return createRuntime({
    warnings: 'off',
    hooks,
    policies,
    store,
    tools,
    agents,
    prompts,
    models: makeModels(conversation),
    timeout: hookTimeout,
    ...(stream === undefined ? {} : { stream }),
    ...(onAsk === undefined ? {} : { onAsk: () => onAsk === 'allow' }),
  });
}

function mainAgent({ agentHooks, otherSide, script }: Setup): AgentDefinition {
  const base = { name: 'main', ...nameHooks(agentHooks) };
  if (otherSide === undefined) return defineAgent({ ...base, prompt: 'main' });
  const sides = {
    a: { prompt: 'main', maxTurns: countGoes(script) },
    b: { prompt: 'other', maxTurns: countGoes(otherSide.script) },
  };
  return defineAgent({ ...base, type: 'dual_ai', sides });
}

/** How often a side has its go in a script: each ends with an answer without calls. */
function countGoes(script: readonly ModelAnswer[] = []): number {
  return Math.max(1, script.filter(({ calls = [] }) => calls.length === 0).length);
}

function makePrompt(
  name: 'main' | 'child' | 'other',
  { system, promptHooks }: Pick<Setup, 'system' | 'promptHooks'>,
  tools: readonly string[],
): PromptDefinition {
  return definePrompt({
    name,
    model: name,
    tools,
    ...(system === undefined ? {} : { system }),
    ...nameHooks(promptHooks),
  });
}

function nameHooks(hooks: SubagentSetup['promptHooks']): { hooks?: readonly string[] } {
  return hooks === undefined ? {} : { hooks };
}

function makeModels({ sent, main, child, other }: Conversation): Record<string, LanguageModel> {
  return { main: model(main, sent), child: model(child, []), other: model(other, sent) };
}

function model(steps: Iterable<ScriptedStep>, sent: LLMMessage[][]): LanguageModel {
  const scripted = scriptedModel(steps);
  return {
    ...scripted,
    doStream(options) {
      sent.push(toLLMMessages(options.prompt));
      return scripted.doStream(options);
    },
  };
}

function* makeSteps(script: readonly ModelAnswer[] = []): Iterable<ScriptedStep> {
  for (const { text, calls, fails, after } of script) {
    yield async () => {
      await after;
      if (fails) return new Error('the provider is down');
      return {
        ...(text === undefined ? {} : { text }),
        ...(calls === undefined ? {} : { toolCalls: calls }),
      };
    };
  }
  for (;;) yield 'done';
}

function makeTools({ tools = [], subagent }: Setup): AnyTool[] {
  const own = tools.map(makeTool);
  return subagent === undefined ? own : [...own, defineTool({ name: 'delegate', agent: 'child' })];
}

function makeTool({ name, run, required = [], permission, onInterrupted }: TrialTool): AnyTool {
  return defineTool({
    name,
    input: fieldsSchema(required),
    parameters: {
      type: 'object',
      properties: Object.fromEntries(required.map((field) => [field, { type: 'string' }])),
      required: [...required],
    },
    execute: (input, { state }) => run(input, state),
    ...(permission === undefined ? {} : { permission }),
    ...(onInterrupted === undefined ? {} : { onInterrupted }),
  });
}

function fieldsSchema(required: readonly string[]): StandardSchema<unknown, Record<string, unknown>> {
  return {
    '~standard': {
      version: 1,
      vendor: 'trial',
      validate(value) {
        const input = value as Record<string, unknown>;
        const missing = required.filter((field) => typeof input[field] !== 'string');
        if (missing.length === 0) return { value: input };
        return { issues: missing.map((field) => ({ message: 'must be a text', path: [field] })) };
      },
    },
  };
}
