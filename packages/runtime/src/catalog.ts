import { type AnyHook, createRegistry, DefinitionError, type LifecycleName, type Registry, type Scope } from '@spec/hooks';
import type { AgentDefinition, AnyTool, LanguageModel, PromptDefinition } from './definitions.ts';

/** Everything a runtime was given by name, with every reference between them known to lead somewhere. */
export interface Catalog {
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  readonly prompts: ReadonlyMap<string, PromptDefinition>;
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly models: ReadonlyMap<string, LanguageModel>;
  readonly registry: Registry;
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
export function createCatalog({ hooks = [], policies = [], agents, prompts, tools = [], models }: CatalogOptions): Catalog {
  const catalog: Catalog = {
    agents: byName('agent', agents),
    prompts: byName('prompt', prompts),
    tools: byName('tool', tools),
    models: new Map(Object.entries(models)),
    registry: createRegistry({ hooks, policies }),
  };
  refuseUnfired([...hooks, ...policies]);
  for (const agent of agents) checkAgent(catalog, agent);
  for (const prompt of prompts) checkPrompt(catalog, prompt);
  for (const tool of tools) if ('agent' in tool) known(catalog.agents, tool.agent, `The tool "${tool.name}"`, 'agent');
  return catalog;
}

/** The hooks that apply to an agent's thread (specification §1.3). */
export function scopeOfAgent({ registry, prompts }: Catalog, agent: AgentDefinition): Scope {
  return registry.scope({ prompt: prompts.get(agent.prompt), agent });
}

/** The model of a prompt. */
export function modelOf({ models }: Catalog, prompt: PromptDefinition): LanguageModel {
  return models.get(prompt.model ?? ([...models.keys()][0] as string)) as LanguageModel;
}

export function refuseUnfired(hooks: readonly AnyHook[]): void {
  const unfired = hooks.find(({ hook }) => notFired.has(hook));
  if (unfired === undefined) return;
  throw new DefinitionError('bad_hook', `Hook "${unfired.id}": this runtime does not call ${unfired.hook} hooks yet. Remove it from hooks and policies.`);
}

function checkAgent(catalog: Catalog, agent: AgentDefinition): void {
  known(catalog.prompts, agent.prompt, `The agent "${agent.name}"`, 'prompt');
  catalog.registry.scope({ agent });
}

function checkPrompt(catalog: Catalog, prompt: PromptDefinition): void {
  const owner = `The prompt "${prompt.name}"`;
  catalog.registry.scope({ prompt });
  for (const tool of prompt.tools ?? []) known(catalog.tools, tool, owner, 'tool');
  if (prompt.model !== undefined) known(catalog.models, prompt.model, owner, 'model');
  else if (catalog.models.size !== 1) {
    throw new DefinitionError('bad_definition', `${owner} names no model, and there are ${catalog.models.size}: name one of ${namesOf(catalog.models)}.`);
  }
}

function byName<T extends { readonly name: string }>(sort: string, definitions: readonly T[]): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const definition of definitions) {
    if (map.has(definition.name)) throw new DefinitionError('duplicate_id', `Two ${sort}s are named "${definition.name}": rename one.`);
    map.set(definition.name, definition);
  }
  return map;
}

function known(map: ReadonlyMap<string, unknown>, name: string, owner: string, sort: string): void {
  if (map.has(name)) return;
  throw new DefinitionError('unknown_id', `${owner} names the ${sort} "${name}", which nobody registered. Registered are: ${namesOf(map)}.`);
}

function namesOf(map: ReadonlyMap<string, unknown>): string {
  return [...map.keys()].join(', ') || 'none';
}
