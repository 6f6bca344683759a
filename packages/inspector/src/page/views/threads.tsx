// Views: one file for each page. The shell shows them by the address; each asks the server for what it shows.

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ThreadPage, ThreadRow } from '../../api.ts';
import { ask, makeLink, useAsked } from '../lib/ask.ts';
import { useOpenAsks } from '../lib/asks.ts';
import { countWords } from '../lib/texts.ts';
import { Foreign } from '../parts/foreign.tsx';
import { OutcomeCounts } from '../parts/outcome.tsx';
import { Scroll } from '../parts/rows.tsx';
import { Empty, Failed, Waiting } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { WaitingAsks } from '../parts/waiting-asks.tsx';

/** Threads that are asked for first, and again whenever something was stored: more than a screen has. */
const threadsFirst = 30;

/** All threads, the newest first; those in a turn before the others. */
export function Threads({ selected }: { readonly selected?: string }): JSX.Element {
  const { data, failure } = useAsked<ThreadPage>(`/api/threads?size=${threadsFirst}`);
  const older = useOlderThreads(data);
  const asks = useOpenAsks() ?? [];
  if (failure !== undefined) return <Failed failure={failure} />;
  if (data === undefined) return <Waiting />;
  if (data.items.length === 0) return <NoThreads />;
  const threads = [...data.items, ...older.threads];
  const running = threads.filter(({ turnId }) => turnId !== null);
  const resting = threads.filter(({ turnId }) => turnId === null);
  return (
    <Scroll label="Threads" class="rows">
      <WaitingAsks asks={asks} />
      <ThreadGroup title="In a turn" threads={running} selected={selected} />
      <ThreadGroup title="Threads" threads={resting} selected={selected} />
      {older.next !== null && (
        <button type="button" class="more" onClick={older.read}>
          Older threads
        </button>
      )}
    </Scroll>
  );
}

interface OlderThreads {
  readonly threads: readonly ThreadRow[];
  readonly next: string | null;
  readonly read: () => void;
}

/** The pages after the first, as they were when they were asked for. */
function useOlderThreads(first: ThreadPage | undefined): OlderThreads {
  const pages = useSignal<readonly ThreadPage[]>([]);
  const next = (pages.value.at(-1) ?? first)?.next ?? null;
  const read = (): void => {
    const path = `/api/threads?cursor=${encodeURIComponent(next ?? '')}`;
    ask<ThreadPage>(path).then(
      (page) => {
        pages.value = [...pages.value, page];
      },
      () => {},
    );
  };
  useEffect(() => {
    if (first === undefined) pages.value = [];
  }, [first]);
  return { threads: pages.value.flatMap(({ items }) => items), next, read };
}

interface ThreadGroupProps {
  readonly title: string;
  readonly threads: readonly ThreadRow[];
  readonly selected: string | undefined;
}

function ThreadGroup({ title, threads, selected }: ThreadGroupProps): JSX.Element | null {
  if (threads.length === 0) return null;
  return (
    <>
      <h2 class="group">{title}</h2>
      <ul class="thread-list">
        {threads.map((thread) => (
          <li key={thread.id}>
            <ThreadLink thread={thread} isSelected={thread.id === selected} />
          </li>
        ))}
      </ul>
    </>
  );
}

function ThreadLink({
  thread,
  isSelected,
}: {
  readonly thread: ThreadRow;
  readonly isSelected: boolean;
}): JSX.Element {
  const { id, agentId, parentId, newest, recent, createdAt, turnId, terminated } = thread;
  return (
    <a href={makeLink(['t', id])} class="thread" data-row aria-current={isSelected ? 'page' : undefined}>
      <span class="thread-id">
        {turnId !== null && <span class="pulse" aria-hidden="true" />}
        <Foreign text={id} class="id" />
        {parentId !== null && <span class="quiet">child</span>}
        {terminated !== null && <span class="quiet">terminated</span>}
      </span>
      <Foreign text={agentId} class="thread-agent quiet" />
      <span class="thread-text">
        {newest === null ? <span class="quiet">no messages</span> : <Foreign text={newest.text} />}
      </span>
      <OutcomeCounts counts={recent.outcomes} />
      <span class="thread-runs quiet number">
        {recent.hasMore ? `${recent.runs}+ runs` : countWords(recent.runs, 'run')}
      </span>
      <Time at={newest?.createdAt ?? createdAt} />
    </a>
  );
}

function NoThreads(): JSX.Element {
  return (
    <Empty title="No threads yet">
      <p>This store is empty. Start a runtime on this file: its threads show up here as they are made.</p>
    </Empty>
  );
}
