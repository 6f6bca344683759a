import { ErrorCode, type Result } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@spec/hooks';
import { answerTask, passTask } from './call-task.ts';
import { type ListMethod, lists } from './catalog.ts';
import { callTool, getPrompt, readResource } from './guarded.ts';
import { makeError } from './peer.ts';
import type { ClientRequest, Session } from './session.ts';

type Route = (session: Session, request: ClientRequest) => Promise<Result>;

/** How each request of a client is answered. What is not here, no server is asked. */
const routes: Readonly<Record<string, Route>> = {
  initialize: (session, { params }) => session.begin(params),
  'tools/list': answerList,
  'prompts/list': answerList,
  'resources/list': answerList,
  'resources/templates/list': answerList,
  'tools/call': (session, request) => callTool(session, request),
  'resources/read': (session, request) => readResource(session, request),
  'prompts/get': (session, request) => getPrompt(session, request),
  'tasks/get': passTask,
  'tasks/result': answerTask,
  'tasks/cancel': passTask,
  'completion/complete': complete,
  'resources/subscribe': subscribe,
  'resources/unsubscribe': unsubscribe,
  'logging/setLevel': async (session, { params }) => {
    await session.setLevel(params);
    return {};
  },
};

/** What counts as a call. A client with too many of them must come to its tasks, to end some. */
const counted: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** Answers a request of a client. @throws an error for the client */
export async function answerClient(session: Session, request: ClientRequest): Promise<Result> {
  const { method } = request;
  if (session.hello === undefined && method !== 'initialize')
    throw makeError(ErrorCode.InvalidRequest, 'The first request must be initialize.');
  const route = Object.hasOwn(routes, method) ? routes[method] : undefined;
  if (route === undefined) throw makeError(ErrorCode.MethodNotFound, 'Method not found');
  const { calls } = session.parts.limits;
  if (counted.has(method) && session.calls.size >= calls)
    throw makeError(ErrorCode.InvalidRequest, `More than ${calls} calls are under way.`);
  return route(session, request);
}

async function answerList(
  { catalog }: Session,
  { method, params: { cursor } }: ClientRequest,
): Promise<Result> {
  const list = method as ListMethod;
  const entries = cursor === undefined ? await catalog.refresh(list) : catalog.read(list);
  const all = [...entries.values()].map(({ definition }) => definition);
  const start = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(start) || start < 0 || start > all.length)
    throw makeError(ErrorCode.InvalidParams, 'This cursor is none of this list.');
  const page = cutPage(all.slice(start));
  const end = start + page.length;
  return { [lists[list].field]: page, ...(end < all.length ? { nextCursor: String(end) } : {}) };
}

/** A page of a list: clients take no message of more than some megabytes. */
const PAGE_ITEMS = 1_000;
const PAGE_CHARACTERS = 2_000_000;

function cutPage<Item>(all: readonly Item[]): readonly Item[] {
  let characters = 0;
  const end = all.findIndex((one, at) => {
    characters += JSON.stringify(one).length;
    return at > 0 && (at === PAGE_ITEMS || characters > PAGE_CHARACTERS);
  });
  return end === -1 ? all : all.slice(0, end);
}

async function complete(session: Session, { id, params, signal }: ClientRequest): Promise<Result> {
  const { ref } = params;
  if (!isRecord(ref)) throw makeError(ErrorCode.InvalidParams, 'ref must be an object.');
  const { upstream, own } = await findReferred(session, ref);
  const message = { method: 'completion/complete', params: { ...params, ref: own } };
  return session.relay.askServer(upstream, message, { id, signal });
}

async function findReferred(
  session: Session,
  ref: Readonly<Record<string, unknown>>,
): Promise<{ upstream: Session['upstreams'][number]; own: object }> {
  const { type, name, uri } = ref;
  const { catalog } = session;
  const isPrompt = type === 'ref/prompt';
  const entry = isPrompt
    ? await catalog.find('prompts/list', String(name))
    : await catalog.find('resources/templates/list', String(uri));
  if (entry !== undefined)
    return { upstream: entry.upstream, own: isPrompt ? { ...ref, name: entry.own } : ref };
  if (isPrompt) throw makeError(ErrorCode.InvalidParams, `Prompt ${String(name)} not found`);
  return { upstream: await session.requireResource(String(uri)), own: ref };
}

async function subscribe(session: Session, { id, params, signal }: ClientRequest): Promise<Result> {
  const uri = String(params.uri);
  const upstream = await session.requireResource(uri);
  const result = await session.relay.askServer(
    upstream,
    { method: 'resources/subscribe', params },
    { id, signal },
  );
  session.watched.set(uri, upstream);
  return result;
}

async function unsubscribe(session: Session, { id, params, signal }: ClientRequest): Promise<Result> {
  const uri = String(params.uri);
  const upstream = session.watched.get(uri) ?? (await session.requireResource(uri));
  session.watched.delete(uri);
  return session.relay.askServer(upstream, { method: 'resources/unsubscribe', params }, { id, signal });
}
