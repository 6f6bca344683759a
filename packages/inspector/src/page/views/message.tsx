import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { ChainRun, MessageChain, TextChange } from '../../api.ts';
import { writeSizes } from '../../sizes.ts';
import { makeLink, makePath, useAsked } from '../lib/ask.ts';
import { countWords, formatCount, formatDuration } from '../lib/texts.ts';
import { readToolCalls } from '../lib/tool-calls.ts';
import { Foreign, ForeignBlock } from '../parts/foreign.tsx';
import { OutcomeWord } from '../parts/outcome.tsx';
import { Scroll } from '../parts/rows.tsx';
import { Failed, Waiting } from '../parts/states.tsx';
import { TextChanges } from '../parts/text-changes.tsx';
import { Time } from '../parts/time.tsx';
import { Call } from './conversation.tsx';

interface MessageViewProps {
  readonly thread: string;
  readonly id: string;
}

/** A message between the hooks that had it, one after another. */
export function MessageView({ thread, id }: MessageViewProps): JSX.Element {
  const withValues = useSignal(false);
  const path = makePath(['api', 'threads', thread, 'messages', id, 'chain']);
  const { data: plain, failure } = useAsked<MessageChain>(path);
  const { data } = useAsked<MessageChain>(withValues.value ? `${path}?values=1` : null);
  if (failure !== undefined) return <Failed failure={failure} />;
  const chain = data ?? plain;
  if (chain === undefined) return <Waiting />;
  const { message, runs } = chain;
  return (
    <Scroll class="detail" label="Message">
      <header class="detail-head">
        <h2>
          <Foreign text={message.role} /> message <Foreign text={message.name ?? ''} class="quiet" />
        </h2>
        <p class="quiet">
          <Time at={message.createdAt} /> · <Foreign text={id} class="id" />
        </p>
        <nav class="tabs" aria-label="Message">
          <a href={makeLink(['t', thread, 'm', id, 'why'])} data-row>
            Why not?
          </a>
        </nav>
      </header>
      <h3>
        {countWords(runs.length, 'run')} of hooks, {formatDuration(runs.reduce((sum, { ms }) => sum + ms, 0))}
      </h3>
      <ol class="chain">
        {runs.map((run) => (
          <ChainStep key={run.run} run={run} withValues={withValues.value} />
        ))}
      </ol>
      {!withValues.value && runs.some(({ changed }) => changed) && (
        <button
          type="button"
          class="button"
          onClick={() => {
            withValues.value = true;
          }}
        >
          Show what changed
        </button>
      )}
      <Stored message={message} />
    </Scroll>
  );
}

function Stored({ message }: Pick<MessageChain, 'message'>): JSX.Element {
  const { content, contentSize } = message;
  return (
    <>
      <h3>Stored</h3>
      {content !== null && content !== '' && <ForeignBlock text={content} size={contentSize} />}
      {content === '' && contentSize > 0 && (
        <p class="quiet">{formatCount(contentSize)} characters, not shown</p>
      )}
      {content === null && message.toolCalls === null && <p class="quiet">no text</p>}
      {readToolCalls(message)?.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </>
  );
}

function ChainStep({
  run,
  withValues,
}: {
  readonly run: ChainRun;
  readonly withValues: boolean;
}): JSX.Element {
  const { id, hook, source, outcome, ms, changed, why, code } = run;
  return (
    <li>
      <a href={makeLink(['run', run.run])} class="chain-run">
        <Foreign text={id} class="run-id" />
        <OutcomeWord outcome={outcome} />
        <span class="number quiet">{outcome === 'skipped' ? '' : formatDuration(ms)}</span>
      </a>
      <p class="quiet">
        <Foreign text={hook} /> · <Foreign text={source} />
      </p>
      {(why ?? code) !== undefined && (
        <p>
          <Foreign text={why ?? code ?? ''} />
        </p>
      )}
      {changed && <p class="number">{writeSizes(run)}</p>}
      {withValues && changed && <Changes changes={run.changes ?? null} />}
    </li>
  );
}

/** The texts before and after, word by word. */
function Changes({ changes }: { readonly changes: readonly TextChange[] | null }): JSX.Element {
  if (changes === null)
    return (
      <p class="note">
        Only sizes are recorded. A runtime with <code>trace: 'values'</code> also records the texts; use it on
        test systems.
      </p>
    );
  return <TextChanges changes={changes} />;
}
