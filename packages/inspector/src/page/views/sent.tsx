import type { JSX } from 'preact';
import type { SentBesideStored, SentRow } from '../../api.ts';
import { makeLink, makePath, useAsked } from '../lib/ask.ts';
import { countWords, formatCount, formatDuration } from '../lib/texts.ts';
import { readToolCalls } from '../lib/tool-calls.ts';
import { Foreign } from '../parts/foreign.tsx';
import { Scroll } from '../parts/rows.tsx';
import { Failed, Waiting } from '../parts/states.tsx';
import { Call } from './conversation.tsx';

interface SentViewProps {
  readonly thread: string;
  readonly turn: string;
  readonly step: string;
}

/** What a model was sent, beside what was stored then. */
export function SentView({ thread, turn, step }: SentViewProps): JSX.Element {
  const path = makePath(['api', 'threads', thread, 'turns', turn, 'sent', step]);
  const { data, failure } = useAsked<SentBesideStored>(path);
  if (failure !== undefined) return <Failed failure={failure} />;
  if (data === undefined) return <Waiting />;
  const { mark, rows, added, isAll } = data;
  const { model, ms, inputTokens, outputTokens } = mark;
  return (
    <Scroll class="sheet" label="What the model was sent">
      <header class="sheet-head">
        <h2>
          What <Foreign text={model} /> was sent
        </h2>
        <span class="quiet number">
          step {step} · {formatDuration(ms)}
          {inputTokens !== undefined &&
            ` · ${formatCount(inputTokens)} → ${formatCount(outputTokens ?? 0)} tokens`}
        </span>
      </header>
      <table class="sent-table">
        <thead>
          <tr>
            <th scope="col">stored</th>
            <th scope="col">sent</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <SentMessage key={row.id} thread={thread} row={row} />
          ))}
          {added > 0 && (
            <tr>
              <td class="quiet">not stored</td>
              <td>+ {countWords(added, 'message')} of hooks, of the prompt or of a summary</td>
            </tr>
          )}
        </tbody>
      </table>
      <p class="note">
        {!isAll && 'Only the newest messages are shown. '}
        Hooks that change what is sent leave no text of it: a message that was sent may have been another one
        then.
      </p>
    </Scroll>
  );
}

function SentMessage({ thread, row }: { readonly thread: string; readonly row: SentRow }): JSX.Element {
  const { id, role, content, toolCalls, contentSize, isSent } = row;
  return (
    <tr class={isSent ? '' : 'is-left'}>
      <td>
        <a href={makeLink(['t', thread, 'm', id])} class="sent-message" data-row>
          <Foreign text={role} class="sent-role" />
          <span>
            {content && <Foreign text={content} />}
            {readToolCalls(row)?.map((call) => (
              <Call key={call.id} call={call} />
            ))}
            {!content && toolCalls === null && `${formatCount(contentSize)} characters`}
          </span>
        </a>
      </td>
      <td>{isSent ? '✓ sent' : '– left out'}</td>
    </tr>
  );
}
