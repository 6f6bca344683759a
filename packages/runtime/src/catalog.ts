import {
  type AnyHook,
  createRegistry,
  DefinitionError,
  emptyScope,
  type LifecycleName,
  type Registry,
  type Scope,
} from '@spec/hooks';
import {
  type AgentDefinition,
  type AgentTool,
  type AnyTool,
  defineAgent,
  definePrompt,
  defineTool,
  type LanguageModel,
  type PromptDefinition,
} from './definitions.ts';

/** Everything a runtime was given by name, with every reference between them known to lead somewhere. */
export interface Catalog {
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  readonly prompts: ReadonlyMap<string, PromptDefinition>;
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly models: ReadonlyMap<string, LanguageModel>;
  readonly registry: Registry;
  /** The hooks that apply to an agent's threads, as far as somebody has asked. */
  readonly scopes: Map<AgentDefinition, Scope>;
}

export interface CatalogOptions {
  readonly hooks?: readonly AnyHook[];
  readonly policies?: readonly AnyHook[];
  readonly agents: readonly AgentDefinition[];
  readonly prompts: readonly PromptDefinition[];
  readonly tools?: readonly AnyTool[];
  readonly models: Readonly<Record<string, LanguageModel>>;
}

/** Control hooks that this runtime has no place for yet; registering one is refused rather than passed over in silence. */
const notFired: ReadonlySet<LifecycleName> = new Set<LifecycleName>([
  'before_compaction',
  'after_session_started',
  'after_session_ended',
  'after_notification',
]);

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
  models,
}: CatalogOptions): Catalog {
  const registry = createRegistry({ hooks, policies });
  refuseUnfired([...hooks, ...policies]);
  const catalog: Catalog = {
    agents: byName(
      'agent',
      agents.map((agent) => defineAgent(agent)),
    ),
    prompts: byName(
      'prompt',
      prompts.map((prompt) => definePrompt(prompt)),
    ),
    tools: byName(
      'tool',
      tools.map((tool): AnyTool => defineTool(tool as AgentTool)),
    ),
    models: new Map(Object.entries(models)),
    registry,
    scopes: new Map(),
  };
  for (const [name, model] of catalog.models) checkModel(name, model);
  for (const agent of catalog.agents.values())
    known(catalog.prompts, agent.prompt, { owner: `The agent "${agent.name}"`, sort: 'prompt' });
  for (const prompt of catalog.prompts.values()) checkPrompt(catalog, prompt);
  for (const tool of catalog.tools.values())
    if ('agent' in tool)
      known(catalog.agents, tool.agent, { owner: `The tool "${tool.name}"`, sort: 'agent' });
  checkHookIds(catalog);
  return catalog;
}

/** The hooks that apply to an agent's thread (specification §1.3). */
export function scopeOfAgent({ registry, prompts, scopes }: Catalog, agent: AgentDefinition): Scope {
  const known = scopes.get(agent);
  if (known !== undefined) return known;
  const found = registry.scope({ prompt: prompts.get(agent.prompt), agent });
  const scope = Object.keys(found).length === 0 ? emptyScope : found;
  scopes.set(agent, scope);
  return scope;
}

/**
 * Takes other hooks, all or nothing.
 *
 * @throws {DefinitionError} as {@link createCatalog}
 */
export function swapHooks(catalog: Catalog, hooks: readonly AnyHook[]): void {
  const { registry, scopes } = catalog;
  refuseUnfired(hooks);
  const before = [...registry.hooks.values()];
  registry.swap({ hooks });
  try {
    checkHookIds(catalog);
  } catch (error) {
    registry.swap({ hooks: before });
    throw error;
  }
  scopes.clear();
}

/** The model of a prompt. */
export function modelOf({ models }: Catalog, prompt: PromptDefinition): LanguageModel {
  return models.get(prompt.model ?? ([...models.keys()][0] as string)) as LanguageModel;
}

function refuseUnfired(hooks: readonly AnyHook[]): void {
  const unfired = hooks.find(({ hook }) => notFired.has(hook));
  if (unfired === undefined) return;
  throw new DefinitionError(
    'bad_hook',
    `Hook "${unfired.id}": this runtime does not call ${unfired.hook} hooks yet. Remove it from hooks and policies.`,
  );
}

/** Every hook that a prompt or an agent names is registered. */
function checkHookIds({ registry, agents, prompts }: Catalog): void {
  for (const agent of agents.values()) registry.scope({ agent });
  for (const prompt of prompts.values()) registry.scope({ prompt });
}

function checkModel(name: string, model: LanguageModel): void {
  const { specificationVersion: version, doStream } = (model ?? {}) as Partial<LanguageModel>;
  if ((version === 'v3' || version === 'v4') && typeof doStream === 'function') return;
  const got = typeof model === 'object' && version !== undefined ? `version "${version}"` : typeof model;
  throw new DefinitionError(
    'bad_definition',
    `The model "${name}" must be an AI SDK model of interface version "v3" or "v4"; got ${got}.`,
  );
}

function checkPrompt(catalog: Catalog, { name, model, tools = [] }: PromptDefinition): void {
  const owner = `The prompt "${name}"`;
  for (const tool of tools) known(catalog.tools, tool, { owner, sort: 'tool' });
  const twice = tools.find((tool, i) => tools.indexOf(tool) !== i);
  if (twice !== undefined)
    throw new DefinitionError('duplicate_id', `${owner} names the tool "${twice}" twice: name it once.`);
  if (model !== undefined) known(catalog.models, model, { owner, sort: 'model' });
  else if (catalog.models.size !== 1) {
    throw new DefinitionError(
      'bad_definition',
      `${owner} names no model, and there are ${catalog.models.size}: name one of ${namesOf(catalog.models)}.`,
    );
  }
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
    `${owner} names the ${sort} "${name}", which nobody registered. Registered are: ${namesOf(map)}.`,
  );
}

function namesOf(map: ReadonlyMap<string, unknown>): string {
  return [...map.keys()].join(', ') || 'none';
}
