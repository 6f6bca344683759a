import type { JSX } from 'preact';
import { decodeText } from '../address.ts';
import { makeLink } from './lib/ask.ts';
import { base } from './lib/session.ts';
import { showControls } from './lib/texts.ts';
import { Empty } from './parts/states.tsx';
import { AskView } from './views/ask.tsx';
import { ConversationView } from './views/conversation.tsx';
import { HookView } from './views/hook.tsx';
import { HooksView } from './views/hooks.tsx';
import { LogView } from './views/log.tsx';
import { MessageView } from './views/message.tsx';
import { RunView } from './views/run.tsx';
import { SearchView } from './views/search.tsx';
import { SentView } from './views/sent.tsx';
import { Threads } from './views/threads.tsx';
import { TurnView } from './views/turn.tsx';
import { WhyView } from './views/why.tsx';

/** What an address shows. */
export interface View {
  readonly title: string;
  /** The place of the head that it belongs to. */
  readonly place: string;
  /** Where one comes from. */
  readonly up?: string;
  /** From the list to the detail. */
  readonly panes: readonly { readonly key: string; readonly content: JSX.Element }[];
}

type Query = Readonly<Record<string, string>>;
type Draw = (parts: readonly string[], query: Query) => View | undefined;

/** The views by the first part of their address. */
const views: Readonly<Record<string, Draw>> = {
  '': () => ({ title: 'Threads', place: '/', panes: [{ key: 'threads', content: <Threads /> }] }),
  t: drawThread,
  log: (_parts, query) => ({
    title: 'Log',
    place: '/log',
    panes: [{ key: 'log', content: <LogView query={query} /> }],
  }),
  search: () => ({ title: 'Search', place: '/search', panes: [{ key: 'search', content: <SearchView /> }] }),
  ask: ([thread, id]) =>
    thread === undefined || id === undefined
      ? undefined
      : {
          ...{ title: 'Question', place: '/', up: makeLink([]) },
          panes: [{ key: `ask ${id}`, content: <AskView thread={thread} id={id} /> }],
        },
  run: ([name = '']) => ({
    ...{ title: `Run ${name}`, place: '/log', up: makeLink(['log']) },
    panes: [{ key: 'run', content: <RunView name={name} /> }],
  }),
  hooks: ([hook, id]) =>
    hook === undefined || id === undefined
      ? { title: 'Hooks', place: '/hooks', panes: [{ key: 'hooks', content: <HooksView /> }] }
      : {
          ...{ title: showControls(id), place: '/hooks', up: makeLink(['hooks']) },
          panes: [{ key: 'hook', content: <HookView hook={hook} id={id} /> }],
        },
};

/** The view of an address; one that says so where there is none. */
export function findView(path: string, query: Query): View {
  const [, first = '', ...rest] = path.slice(base.length).split('/').map(decode);
  const texts = Object.entries(query).map(([name, text]) => [name, decodeText(text)]);
  return views[first]?.(rest, Object.fromEntries(texts)) ?? nowhere;
}

function drawThread([thread, kind, id, more, call]: readonly string[]): View | undefined {
  if (thread === undefined || thread === '') return undefined;
  if (kind === 'turn' && id !== undefined)
    return more === 'step' && call !== undefined ? drawSent(thread, id, call) : drawTurn(thread, id);
  const selected = kind === 'm' ? id : undefined;
  const panes = [
    { key: 'threads', content: <Threads selected={thread} /> },
    { key: `thread ${thread}`, content: <ConversationView thread={thread} selected={selected} /> },
  ];
  const view = { title: showControls(thread), place: '/' };
  if (selected === undefined) return { ...view, up: makeLink([]), panes };
  const up = more === 'why' ? makeLink(['t', thread, 'm', selected]) : makeLink(['t', thread]);
  const key = `${more} ${selected} ${call}`;
  const content =
    more === 'why' ? (
      <WhyView thread={thread} id={selected} call={call} />
    ) : (
      <MessageView thread={thread} id={selected} />
    );
  return { ...view, up, panes: [...panes, { key, content }] };
}

function drawTurn(thread: string, turn: string): View {
  const panes = [{ key: `turn ${turn}`, content: <TurnView thread={thread} turn={turn} /> }];
  return { title: `Turn of ${showControls(thread)}`, place: '/', up: makeLink(['t', thread]), panes };
}

function drawSent(thread: string, turn: string, step: string): View {
  const content = <SentView thread={thread} turn={turn} step={step} />;
  const up = makeLink(['t', thread, 'turn', turn]);
  return {
    title: `Sent in ${showControls(thread)}`,
    place: '/',
    up,
    panes: [{ key: `sent ${turn} ${step}`, content }],
  };
}

const nowhere: View = {
  title: 'Nothing here',
  place: '',
  up: makeLink([]),
  panes: [{ key: 'nowhere', content: <Empty title="There is nothing at this address" /> }],
};

function decode(part: string): string {
  try {
    return decodeText(decodeURIComponent(part));
  } catch {
    return part;
  }
}
