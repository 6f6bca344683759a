import {
  Agent,
  type Handoff,
  type Model,
  type ModelProvider,
  type RunConfig,
  type Tool,
} from '@openai/agents';
import { DefinitionError, describeGiven, type Scope } from '@spec/hooks';
import { HookedModel, type ModelSetting } from './model.ts';
import type { HookedTools } from './tools.ts';

// Agents of every context and output: the SDK's own type of them says any, which is what these stand for.
type AnyAgent = Handoff['agent'];

export interface AgentsSetting extends ModelSetting {
  readonly tools: HookedTools;
}

/** By what it can do: a second copy of the SDK has a class of its own. */
function checkAgent(given: unknown): void {
  const { clone, tools } = (given ?? {}) as Partial<AnyAgent>;
  if (typeof clone === 'function' && Array.isArray(tools)) return;
  throw new DefinitionError(
    'bad_option',
    `An agent of @openai/agents is needed first, such as new Agent({ name, instructions }); got ${describeGiven(given)}.`,
  );
}

/** Agents whose models and tools pass the hooks, and whose handoffs lead to such agents only. */
export class HookedAgents {
  readonly #setting: AgentsSetting;
  readonly #hooked = new WeakMap<object, AnyAgent>();

  constructor(setting: AgentsSetting) {
    this.#setting = setting;
  }

  has(agent: object): boolean {
    return this.#hooked.get(agent) === agent;
  }

  /** @throws {DefinitionError} `bad_option` for an agent with tools that no hook would see */
  hook<A extends object>(agent: A): A {
    checkAgent(agent);
    const given = agent as unknown as AnyAgent;
    return (this.#hooked.get(given) ?? this.#make(given)) as unknown as A;
  }

  #make(agent: AnyAgent): AnyAgent {
    this.#refuseUnseen(agent);
    const { tools, runs } = this.#setting;
    const hooked = copyAgent(agent, {
      model: this.hookModel(agent.model),
      tools: agent.tools.map((tool: Tool) => tools.wrap(tool)),
      handoffs: [],
    });
    this.#hooked.set(agent, hooked).set(hooked, hooked);
    // Agents may hand off to each other, so this one is known before its handoffs are.
    hooked.handoffs = agent.handoffs.map((next) =>
      next instanceof Agent ? this.hook(next) : this.#hookHandoff(next),
    );
    const asTool = hooked.asTool.bind(hooked);
    hooked.asTool = ((options: Parameters<AnyAgent['asTool']>[0]) =>
      tools.noteAgent(
        asTool({ ...options, runConfig: this.hookRunConfig(options.runConfig) }),
        hooked,
      )) as AnyAgent['asTool'];
    const getSystemPrompt = hooked.getSystemPrompt.bind(hooked);
    hooked.getSystemPrompt = async (context) => {
      runs.find();
      return getSystemPrompt(context);
    };
    this.#hookLate(hooked);
    return hooked;
  }

  /** What an agent has by the time that it runs, such as one of a class that finds its own tools. */
  #hookLate(hooked: AnyAgent): void {
    const { tools } = this.#setting;
    const getAllTools = hooked.getAllTools.bind(hooked);
    hooked.getAllTools = async (...given) => (await getAllTools(...given)).map((tool) => tools.wrap(tool));
    const getEnabledHandoffs = hooked.getEnabledHandoffs.bind(hooked);
    hooked.getEnabledHandoffs = async (...given) =>
      (await getEnabledHandoffs(...given)).map((handoff) => this.#hookHandoff(handoff));
  }

  #hookHandoff(handoff: Handoff): Handoff {
    return handoff.clone({
      agent: this.hook(handoff.agent),
      onInvokeHandoff: async (context, args) => this.hook(await handoff.onInvokeHandoff(context, args)),
    });
  }

  /** A name is resolved by the runner, whose provider gives models that pass the hooks. */
  hookModel(model: string | Model): string | Model {
    if (typeof model === 'string' || model instanceof HookedModel) return model;
    const { models } = this.#setting;
    const name = Object.keys(models).find((known) => models[known] === model) ?? 'unnamed';
    return new HookedModel(model, name, this.#setting);
  }

  /** What a run is made with, with models that pass the hooks. */
  hookRunConfig({ model, modelProvider, ...config }: Partial<RunConfig> = {}): Partial<RunConfig> {
    return {
      ...config,
      ...(model === undefined ? {} : { model: this.hookModel(model) }),
      ...(modelProvider === undefined ? {} : { modelProvider: this.hookProvider(modelProvider) }),
    };
  }

  hookProvider(provider: ModelProvider): ModelProvider {
    return {
      getModel: async (name) => {
        const model = await provider.getModel(name);
        return model instanceof HookedModel
          ? model
          : new HookedModel(model, name ?? 'default', this.#setting);
      },
    };
  }

  #refuseUnseen({ name, mcpServers, prompt, ...agent }: AnyAgent): void {
    const { tools, scope } = this.#setting;
    if ('voice' in agent)
      throw new DefinitionError(
        'bad_option',
        `The realtime agent "${name}" talks in a session of its own, where no hook hears it. Put hooks around an agent of run.`,
      );
    for (const server of mcpServers)
      tools.refuseUnseen(
        server.name,
        'the SDK asks this MCP server for its tools at each step. Give them as tools instead: tools: await getAllMcpTools({ mcpServers })',
      );
    if ('capabilities' in agent)
      tools.refuseUnseen(name, 'the tools of a sandbox are made when the agent runs');
    if (prompt !== undefined && (scope satisfies Scope).after_system_message !== undefined)
      throw new DefinitionError(
        'bad_option',
        `The agent "${name}" has a prompt that is kept at the provider, which no after_system_message hook sees. Give it instructions instead.`,
      );
  }
}

/** A copy that is what the agent is: of its class, with what it has of its own. Who listens to the agent hears the copy. */
function copyAgent(agent: AnyAgent, changed: Parameters<AnyAgent['clone']>[0]): AnyAgent {
  const copy = agent.clone(changed);
  const prototype = Object.getPrototypeOf(agent) as object;
  if (Object.getPrototypeOf(copy) !== prototype) Object.setPrototypeOf(copy, prototype);
  for (const [name, value] of Object.entries(agent))
    if (!Object.hasOwn(copy, name)) Reflect.set(copy, name, value);
  const emit = copy.emit.bind(copy);
  copy.emit = (...event) => {
    const isHeard = agent.emit(...event);
    return emit(...event) || isHeard;
  };
  return copy;
}
