import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@spec/hooks';
import { findHidden } from './hidden-characters.ts';
import type { Upstream } from './upstream.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How the gateway calls itself where it stands before several servers, or before none that is there. */
const OWN_NAME = { name: 'spec-hooks', title: 'Gateway of spec-hooks', version: '0.1.0' };

/**
 * What a client hears of all servers when it connects. One server is spoken of as if there was no gateway, unless what it says of itself
 * hides characters.
 *
 * @param readInstructions gives what a server says about its use, as far as it is trusted
 */
export function makeWelcome(
  upstreams: readonly Upstream[],
  readInstructions: (upstream: Upstream) => string | undefined,
): Result {
  const [only] = upstreams;
  const { serverInfo } = only?.welcome ?? {};
  const isAlone = upstreams.length === 1 && isRecord(serverInfo) && findHidden(serverInfo).length === 0;
  const instructions = joinInstructions(upstreams, readInstructions);
  return {
    capabilities: joinCapabilities(upstreams),
    serverInfo: isAlone ? serverInfo : OWN_NAME,
    ...(instructions === '' ? {} : { instructions }),
  };
}

function joinInstructions(
  upstreams: readonly Upstream[],
  readInstructions: (upstream: Upstream) => string | undefined,
): string {
  const said = upstreams.flatMap((upstream) => {
    const text = readInstructions(upstream);
    return text === undefined ? [] : [{ name: upstream.name, text }];
  });
  if (upstreams.length === 1) return said[0]?.text ?? '';
  return said.map(({ name, text }) => `# ${name}\n\n${text}`).join('\n\n');
}

/** A server that is not there yet may turn out to have any of these. */
function joinCapabilities(upstreams: readonly Upstream[]): Fields {
  const all = upstreams.flatMap(({ welcome }) => (welcome === undefined ? [] : [welcome.capabilities]));
  const isOneMissing = all.length < upstreams.length;
  const has = (name: string): boolean => isOneMissing || all.some((one) => one[name] !== undefined);
  const canSubscribe = all.some(({ resources }) => isRecord(resources) && resources.subscribe === true);
  const resources = { listChanged: true, ...(canSubscribe || isOneMissing ? { subscribe: true } : {}) };
  return {
    ...(has('tools') ? { tools: { listChanged: true } } : {}),
    ...(has('prompts') ? { prompts: { listChanged: true } } : {}),
    ...(has('resources') ? { resources } : {}),
    ...(has('logging') ? { logging: {} } : {}),
    ...(has('completions') ? { completions: {} } : {}),
    ...(all.some(runsTasks) ? { tasks: { cancel: {}, requests: { tools: { call: {} } } } } : {}),
  };
}

/** Whether tools of a server run as tasks. */
function runsTasks({ tasks }: Fields): boolean {
  return isRecord(tasks) && isRecord(tasks.requests) && isRecord(tasks.requests.tools);
}
