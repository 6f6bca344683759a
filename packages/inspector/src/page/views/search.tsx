import { type Signal, useSignal } from '@preact/signals';
import type { SearchHit } from '@spec/hooks';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { HitPage } from '../../api.ts';
import { ask, makeLink, makePath } from '../lib/ask.ts';
import { type AskFailure, useRetry } from '../lib/failure.ts';
import { moved } from '../lib/pace.ts';
import { countWords, showControls } from '../lib/texts.ts';
import { Foreign } from '../parts/foreign.tsx';
import { Scroll } from '../parts/rows.tsx';
import { Empty, Failed } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';

/** What was found so far. */
interface Found {
  readonly text: string;
  readonly hits: readonly SearchHit[];
  /** Where to look on; `null` at the end. */
  readonly next: string | null;
  readonly isLooking: boolean;
  readonly failure?: AskFailure;
}

/** Hits that are looked for before one is asked whether to go on. */
const enough = 50;
const restMs = 250;
/** What was found is looked for again at most so often, however much is stored: a search reads the whole store. */
const againMs = 1_000;

/** Messages with a text in them, the newest first. What is looked for is in no address. */
export function SearchView(): JSX.Element {
  const text = useSignal('');
  const found = useSignal<Found | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const look = useLook(found);
  useRetry(found.value?.failure, () => look(text.value.trim()));
  useLookAgain(found, (before) => look(before.text, before, 'again'));
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    const timer = setTimeout(() => look(text.value.trim()), restMs);
    return () => clearTimeout(timer);
  }, [text.value]);
  return (
    <div class="page">
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <input
          ref={field}
          type="search"
          class="search"
          aria-label="Search in messages"
          placeholder="Search in messages"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </form>
      <Hits found={found.value} onMore={() => look(text.value.trim(), found.value)} />
    </div>
  );
}

/** `more` goes on behind what was found, `again` finds as many anew. */
type LookFor = 'more' | 'again';

/** Looks page by page: one page may have nothing and not be the last. A newer question ends an older one. */
function useLook(
  found: Signal<Found | undefined>,
): (text: string, before?: Found, lookFor?: LookFor) => void {
  const latest = useRef(0);
  useEffect(
    () => () => {
      latest.current++;
    },
    [],
  );
  return (text, before, lookFor = 'more') => {
    const mine = ++latest.current;
    if (text.length < 2) found.value = undefined;
    else void lookOn({ text, before, lookFor, found, isWanted: () => mine === latest.current });
  };
}

/** Once something was stored or deleted, what was found is looked for again: no text stays that is gone. */
function useLookAgain(found: Signal<Found | undefined>, again: (before: Found) => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wait = (): void => {
    timer.current = setTimeout(() => {
      timer.current = undefined;
      if (found.value?.isLooking) wait();
      else if (found.value !== undefined) again(found.value);
    }, againMs);
  };
  const round = moved.value;
  useEffect(() => {
    if (found.value !== undefined && timer.current === undefined) wait();
  }, [round]);
  useEffect(() => () => clearTimeout(timer.current), []);
}

interface Looking {
  readonly text: string;
  readonly before: Found | undefined;
  readonly lookFor: LookFor;
  readonly found: Signal<Found | undefined>;
  readonly isWanted: () => boolean;
}

async function lookOn({ text, before, lookFor, found, isWanted }: Looking): Promise<void> {
  const isAgain = lookFor === 'again';
  let hits = isAgain ? [] : (before?.hits ?? []);
  let next = isAgain ? undefined : (before?.next ?? undefined);
  const wanted = isAgain ? Math.max(enough, before?.hits.length ?? 0) : hits.length + enough;
  try {
    do {
      const page: HitPage = await ask(makePath(['api', 'search'], { text, cursor: next }));
      if (!isWanted()) return;
      hits = [...hits, ...page.items];
      next = page.next ?? undefined;
      const isLooking = next !== undefined && hits.length < wanted;
      // What was found before stays until all of it was looked for again.
      if (!isAgain || !isLooking) found.value = { text, hits, next: page.next, isLooking };
    } while (next !== undefined && hits.length < wanted);
  } catch (failure) {
    if (isWanted())
      found.value = { text, hits, next: null, isLooking: false, failure: failure as AskFailure };
  }
}

function Hits({
  found,
  onMore,
}: {
  readonly found: Found | undefined;
  readonly onMore: () => void;
}): JSX.Element {
  if (found === undefined)
    return <Empty title="Search in messages">Contents and arguments of calls, the newest first.</Empty>;
  const { hits, next, isLooking, failure } = found;
  if (failure !== undefined) return <Failed failure={failure} />;
  if (hits.length === 0) return <Empty title={isLooking ? 'Looking …' : 'Nothing found'} />;
  return (
    <Scroll label="Messages found" class="rows">
      <p class="group" role="status">
        {isLooking ? `${countWords(hits.length, 'message')} so far` : countWords(hits.length, 'message')}
      </p>
      {hits.map((hit) => (
        <Hit key={`${hit.threadId} ${hit.messageId} ${hit.field}`} hit={hit} length={found.text.length} />
      ))}
      {next !== null && !isLooking && (
        <button type="button" class="more" onClick={onMore}>
          Older messages
        </button>
      )}
    </Scroll>
  );
}

interface HitProps {
  readonly hit: SearchHit;
  /** Characters of what was looked for. */
  readonly length: number;
}

function Hit({ hit, length }: HitProps): JSX.Element {
  const { threadId, messageId, role, createdAt, field, excerpt, at } = hit;
  return (
    <a class="hit" data-row href={makeLink(['t', threadId, 'm', messageId])}>
      <span class="hit-place">
        <Foreign text={threadId} class="id" />
        <Foreign text={role} class="quiet" />
        <Time at={createdAt} />
      </span>
      <bdi class={field === 'toolCalls' ? 'hit-text code' : 'hit-text'}>
        {showControls(excerpt.slice(0, at))}
        <mark>{showControls(excerpt.slice(at, at + length))}</mark>
        {showControls(excerpt.slice(at + length))}
      </bdi>
    </a>
  );
}
