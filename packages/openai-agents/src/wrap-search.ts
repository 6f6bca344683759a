import type { HostedTool, Tool, toolSearchTool } from '@openai/agents';

type Search = NonNullable<NonNullable<Parameters<typeof toolSearchTool>[0]>['execute']>;

/** What the SDK calls the function of an application that finds tools while an agent runs. */
const EXECUTOR = 'clientToolSearchExecutor';

/** A tool with which a model searches for others, where it runs here: what it finds goes through `wrap`. Any other stays as it is. */
export function wrapSearch(tool: Exclude<Tool, { type: 'function' }>, wrap: (found: Tool) => Tool): Tool {
  const key = Object.getOwnPropertySymbols(tool).find(({ description }) => description === EXECUTOR);
  if (key === undefined) return tool;
  const search = Reflect.get(tool, key) as Search;
  const value: Search = async (args) => {
    const found = await search(args);
    if (found === null || found === undefined) return found;
    return Array.isArray(found) ? found.map(wrap) : wrap(found as Tool);
  };
  return Object.defineProperty({ ...tool } as HostedTool, key, { value, configurable: true });
}
