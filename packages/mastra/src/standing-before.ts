import type { MastraMemory } from '@mastra/core/memory';
import type { InputProcessorOrWorkflow, ProcessInputArgs } from '@mastra/core/processors';
import type { RequestContext } from '@mastra/core/request-context';
import { DefinitionError } from '@spec/hooks';

/** What gives an agent its processors of inputs, for each run. */
export type MakeProcessors = (run: {
  readonly requestContext: RequestContext;
}) => Promise<InputProcessorOrWorkflow[]>;

/** What a memory adds that sends on what is said: to an embedder, or to a model that makes notes of it. */
const sendingOn: ReadonlySet<string> = new Set(['semantic-recall', 'observational-memory']);

/** The runs whose memory stands behind the hooks. */
const placed = new WeakSet<RequestContext>();

/** The processors of a memory, which Mastra puts before all others, behind the first one that is given. */
export function putBehind(
  memory: MastraMemory,
  given: readonly [InputProcessorOrWorkflow, ...InputProcessorOrWorkflow[]],
): MakeProcessors {
  const [first, ...others] = given;
  return async ({ requestContext }) => {
    placed.add(requestContext);
    return [first, ...(await memory.getInputProcessors([...others], requestContext)), ...others];
  };
}

/**
 * What the processors of a memory send on from before the hooks is what the user has said, word by word.
 *
 * @throws {DefinitionError} `bad_option`
 */
export async function refuseEarlyMemory({ requestContext }: ProcessInputArgs): Promise<void> {
  if (requestContext === undefined || placed.has(requestContext)) return;
  const known = requestContext.get('MastraMemory') as KnownMemory | undefined;
  const memory = known?.runState?.()?.memory as MastraMemory | undefined;
  const added = (await memory?.getInputProcessors([], requestContext)) ?? [];
  const early = added.find(({ id }) => sendingOn.has(id));
  if (early === undefined) return;
  throw new DefinitionError(
    'bad_option',
    `The memory of this agent (its ${early.id}) sends on what the user says before any hook has heard it. Give the agent inputProcessors: hooks.beforeMemory(memory).`,
  );
}

interface KnownMemory {
  readonly runState?: () => { readonly memory: object } | undefined;
}

/** The name by which `allowUnwrapped` accepts networks. */
const NETWORK = 'network';

/** How Mastra tells a model that it routes: nothing else of a run says so. */
const ROUTES = 'You are a router in a network of specialized AI agents.';

/**
 * The tools, agents and workflows of a network are run by it, and offered to no model, so that nobody could look at them.
 *
 * @throws {DefinitionError} `bad_option`
 */
export function refuseNetwork({ systemMessages }: ProcessInputArgs, allowUnwrapped: readonly string[]): void {
  const isNetwork = systemMessages.some(({ content }) => JSON.stringify(content).includes(ROUTES));
  if (!isNetwork || allowUnwrapped.includes(NETWORK)) return;
  throw new DefinitionError(
    'bad_option',
    `A network runs tools that are not wrapped, agents and workflows, and no hook sees their calls. Call generate or stream. Or wrap all tools of the agent, give its agents hooks.processor, and accept the rest: allowUnwrapped: ["${NETWORK}"].`,
  );
}
