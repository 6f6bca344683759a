// Definitions: agents, prompts, tools and models, as they are defined and found by name. Every room above may read them; they never change while a turn runs, but for hooks that are swapped.

import {
  type AnyHook,
  createRegistry,
  DefinitionError,
  type Duration,
  describeGiven,
  emptyScope,
  nearest,
  type Registry,
  type RegistryOptions,
  type Scope,
} from '@spec/hooks';
import {
  type AgentDefinition,
  choosePromptName,
  defineAgent,
  findPromptOfAgent,
  listPromptNames,
  promptAgent,
  promptAgentName,
  type SideName,
} from './agent.ts';
import type { LanguageModel } from './model.ts';
import { definePrompt, isInclude, listParts, type PromptDefinition } from './prompt.ts';
import { type AgentTool, type AnyTool, defineTool, type FunctionTool } from './tool.ts';

/** Everything a runtime was given by name, with every reference between them known to lead somewhere. */
export interface Catalog {
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  /** The agents that are nothing but a prompt, one for each prompt; tools that are prompts run as these. */
  readonly promptAgents: ReadonlyMap<string, AgentDefinition>;
  readonly prompts: ReadonlyMap<string, PromptDefinition>;
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly models: ReadonlyMap<string, LanguageModel>;
  readonly registry: Registry;
  /** The hooks that apply to the sides of agents, as far as somebody has asked. */
  readonly scopes: Map<AgentDefinition, Partial<Record<SideName, Scope>>>;
}

export interface CatalogOptions {
  readonly hooks?: readonly AnyHook[];
  readonly policies?: readonly AnyHook[];
  readonly agents: readonly AgentDefinition[];
  readonly prompts: readonly PromptDefinition[];
  readonly tools?: readonly AnyTool[];
  /** The timeout of tools that are functions and set none. */
  readonly toolTimeout?: Duration | undefined;
  readonly models: Readonly<Record<string, LanguageModel>>;
}

/**
 * Indexes the definitions and checks every name that one of them mentions.
 *
 * @throws {DefinitionError} `duplicate_id`, `unknown_id` or `bad_definition`, naming the definition and the name.
 */
export function createCatalog({
  hooks = [],
  policies = [],
  agents,
  prompts,
  tools = [],
  toolTimeout,
  models,
}: CatalogOptions): Catalog {
  const registry = createRegistry({ hooks, policies });
  const defined = prompts.map((prompt) => definePrompt(prompt));
  const catalog: Catalog = {
    agents: byName(
      'agent',
      agents.map((agent) => defineAgent(agent)),
    ),
    promptAgents: new Map(defined.map(({ name }) => [promptAgentName(name), promptAgent(name)])),
    prompts: byName('prompt', defined),
    tools: byName(
      'tool',
      tools.map((tool) => makeTool(tool, toolTimeout)),
    ),
    models: new Map(Object.entries(models)),
    registry,
    scopes: new Map(),
  };
  for (const [name, model] of catalog.models) checkModel(name, model);
  for (const agent of catalog.agents.values()) checkAgent(catalog, agent);
  for (const prompt of catalog.prompts.values()) checkPrompt(catalog, prompt);
  checkIncludes(catalog);
  for (const tool of catalog.tools.values()) checkTool(catalog, tool);
  checkHookIds(catalog);
  return catalog;
}

/** An agent that was registered, or one that is nothing but a prompt. */
export function findAgent({ agents, promptAgents }: Catalog, name: string): AgentDefinition | undefined {
  return agents.get(name) ?? promptAgents.get(name);
}

/** The agent of a name. @throws {DefinitionError} `unknown_id` */
export function requireAgent(catalog: Catalog, name: string): AgentDefinition {
  const agent = findAgent(catalog, name);
  if (agent !== undefined) return agent;
  const names = [...catalog.agents.keys()].join(', ');
  const message = `There is no agent "${describeGiven(name)}". Registered are: ${names || 'none'}.`;
  throw new DefinitionError('unknown_id', message);
}

/** The hooks that apply to an agent's thread where a side has its go (specification §1.3). */
export function findScopeOfAgent(catalog: Catalog, agent: AgentDefinition, side: SideName = 'a'): Scope {
  const known = catalog.scopes.get(agent)?.[side];
  if (known !== undefined) return known;
  const { registry, prompts, scopes } = catalog;
  const found = registry.scope({ prompt: prompts.get(choosePromptName(agent, side)), agent });
  const scope = Object.keys(found).length === 0 ? emptyScope : found;
  scopes.set(agent, { ...scopes.get(agent), [side]: scope });
  return scope;
}

/**
 * Takes other hooks or policies, all or nothing.
 *
 * @throws {DefinitionError} as {@link createCatalog}
 */
export function swapHooks(catalog: Catalog, next: RegistryOptions): void {
  const { registry, scopes } = catalog;
  const { policies } = registry;
  const hooks = [...registry.hooks.values()].filter((hook) => !policies.includes(hook));
  registry.swap(next);
  try {
    checkHookIds(catalog);
  } catch (error) {
    registry.swap({ hooks, policies });
    throw error;
  }
  scopes.clear();
}

/** The model of a prompt. */
export function findModel(catalog: Catalog, prompt: PromptDefinition): LanguageModel {
  return catalog.models.get(chooseModelName(catalog, prompt)) as LanguageModel;
}

/** The name of a prompt's model. */
export function chooseModelName({ models }: Catalog, { model }: PromptDefinition): string {
  return model ?? ([...models.keys()][0] as string);
}

/** Every hook that a prompt or an agent names is registered. */
function checkHookIds({ registry, agents, prompts }: Catalog): void {
  for (const agent of agents.values()) registry.scope({ agent });
  for (const prompt of prompts.values()) registry.scope({ prompt });
}

function checkModel(name: string, model: LanguageModel): void {
  const { specificationVersion: version, doStream } = (model ?? {}) as Partial<LanguageModel>;
  if ((version === 'v3' || version === 'v4') && typeof doStream === 'function') return;
  const isOther = typeof model === 'object' && version !== undefined;
  const got = isOther
    ? `version "${version}"`
    : describeGiven(typeof model === 'string' ? 'a string' : model);
  const remedy = isOther
    ? 'Use another version of its provider’s package.'
    : 'Give what a provider makes, such as openai("gpt-5") of @ai-sdk/openai.';
  throw new DefinitionError(
    'bad_definition',
    `The model "${name}" must be an AI SDK model of interface version "v3" or "v4"; got ${got}. ${remedy}`,
  );
}

function checkAgent({ prompts, models }: Catalog, agent: AgentDefinition): void {
  const owner = `The agent "${agent.name}"`;
  for (const prompt of listPromptNames(agent)) known(prompts, prompt, { owner, sort: 'prompt' });
  const summariser = agent.compaction?.model;
  if (summariser !== undefined) known(models, summariser, { owner, sort: 'model' });
}

function makeTool(tool: AnyTool, timeout: Duration | undefined): AnyTool {
  const made: FunctionTool | AgentTool = defineTool(tool as AgentTool);
  const isWithoutLimit = 'execute' in made && (made as FunctionTool).timeout === undefined;
  return isWithoutLimit && timeout !== undefined ? defineTool({ ...made, timeout } as FunctionTool) : made;
}

function checkTool({ agents, promptAgents, prompts }: Catalog, tool: AnyTool): void {
  if (!('agent' in tool) || promptAgents.has(tool.agent)) return;
  const owner = `The tool "${tool.name}"`;
  const prompt = findPromptOfAgent(tool.agent);
  if (prompt === undefined) known(agents, tool.agent, { owner, sort: 'agent' });
  else known(prompts, prompt, { owner, sort: 'prompt' });
}

function checkIncludes({ prompts }: Catalog): void {
  for (const prompt of prompts.values())
    for (const name of listIncludes(prompt))
      known(prompts, name, { owner: `The prompt "${prompt.name}"`, sort: 'prompt' });
  const cycle = includeCycle(prompts);
  if (cycle === undefined) return;
  throw new DefinitionError(
    'bad_definition',
    `The prompt "${cycle[0]}" includes itself: ${cycle.join(' → ')}. Take one of these includes out.`,
  );
}

function checkPrompt(
  catalog: Catalog,
  { name, model, compaction, tools = [], fallback = [] }: PromptDefinition,
): void {
  const owner = `The prompt "${name}"`;
  for (const tool of tools) known(catalog.tools, tool, { owner, sort: 'tool' });
  const twice = tools.find((tool, i) => tools.indexOf(tool) !== i);
  if (twice !== undefined)
    throw new DefinitionError('duplicate_id', `${owner} names the tool "${twice}" twice: name it once.`);
  const summariser = compaction?.model;
  if (summariser !== undefined) known(catalog.models, summariser, { owner, sort: 'model' });
  for (const next of fallback) known(catalog.models, next, { owner, sort: 'model' });
  if (model !== undefined) known(catalog.models, model, { owner, sort: 'model' });
  else if (catalog.models.size !== 1) throw noModel(owner, catalog.models);
}

function noModel(owner: string, models: Catalog['models']): DefinitionError {
  const message =
    models.size === 0
      ? `${owner} needs a model, and none is registered: give createRuntime one in \`models\`.`
      : `${owner} names no model, and there are ${models.size}: name one of ${joinNames(models)}.`;
  return new DefinitionError('bad_definition', message);
}

function byName<T extends { readonly name: string }>(
  sort: string,
  definitions: readonly T[],
): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const definition of definitions) {
    if (map.has(definition.name))
      throw new DefinitionError('duplicate_id', `Two ${sort}s are named "${definition.name}": rename one.`);
    map.set(definition.name, definition);
  }
  return map;
}

interface Mention {
  readonly owner: string;
  /** What the name should be a name of. */
  readonly sort: string;
}

function known(map: ReadonlyMap<string, unknown>, name: string, { owner, sort }: Mention): void {
  if (map.has(name)) return;
  throw new DefinitionError(
    'unknown_id',
    `${owner} names the ${sort} "${name}", which nobody registered. Registered are: ${joinNames(map)}. ${suggestName(map, name, sort)}`,
  );
}

/** What to do about a name that is not registered. */
function suggestName(map: ReadonlyMap<string, unknown>, name: string, sort: string): string {
  const meant = nearest(name, map.keys());
  return meant === undefined ? `Give it to createRuntime, in ${sort}s.` : `Did you mean "${meant}"?`;
}

function joinNames(map: ReadonlyMap<string, unknown>): string {
  return [...map.keys()].join(', ') || 'none';
}

/** The names of the prompts that a prompt includes. */
function listIncludes(prompt: PromptDefinition): readonly string[] {
  return listParts(prompt)
    .filter(isInclude)
    .map(({ include }) => include);
}

/**
 * The first way in which a prompt includes itself, as the names from it back to it; nothing where none does.
 * Every name that is included must be a name of a prompt.
 */
function includeCycle(prompts: ReadonlyMap<string, PromptDefinition>): readonly string[] | undefined {
  const endsWell = new Set<string>();
  function follow(name: string, path: readonly string[]): readonly string[] | undefined {
    if (endsWell.has(name)) return undefined;
    const start = path.indexOf(name);
    if (start >= 0) return [...path.slice(start), name];
    for (const next of listIncludes(prompts.get(name) as PromptDefinition)) {
      const cycle = follow(next, [...path, name]);
      if (cycle !== undefined) return cycle;
    }
    endsWell.add(name);
    return undefined;
  }
  for (const name of prompts.keys()) {
    const cycle = follow(name, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
