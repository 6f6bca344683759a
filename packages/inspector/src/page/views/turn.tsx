import { useSignal } from '@preact/signals';
import type { ModelMark } from '@spec/hooks';
import type { JSX } from 'preact';
import type { TurnDetail } from '../../api.ts';
import { makeLink, makePath, useAsked } from '../lib/ask.ts';
import { countWords, formatCount, formatDuration } from '../lib/texts.ts';
import { type Bar, layOutTurn, shareTimes, type Timeline } from '../lib/timeline.ts';
import { Foreign } from '../parts/foreign.tsx';
import { OutcomeSign, writeOutcome } from '../parts/outcome.tsx';
import { Scroll } from '../parts/rows.tsx';
import { Failed, Waiting } from '../parts/states.tsx';

interface TurnViewProps {
  readonly thread: string;
  readonly turn: string;
}

const kinds: Readonly<Record<Bar['kind'], string>> = {
  hook: 'hooks',
  model: 'models',
  tool: 'tools',
  ask: 'people',
};

/** A turn over time: hooks, models, tools, and the times that a person took. */
export function TurnView({ thread, turn }: TurnViewProps): JSX.Element {
  const path = makePath(['api', 'threads', thread, 'turns', turn]);
  const { data, failure } = useAsked<TurnDetail>(path);
  const isUnfolded = useSignal(false);
  if (failure !== undefined) return <Failed failure={failure} />;
  if (data === undefined) return <Waiting />;
  const timeline = layOutTurn(data, isUnfolded.value);
  const end = data.marks.find((mark) => mark.kind === 'end');
  const toggle = (): void => {
    isUnfolded.value = !isUnfolded.value;
  };
  return (
    <Scroll class="sheet is-wide" label="Turn">
      <header class="sheet-head">
        <h2>Turn of {formatDuration(end?.ms ?? timeline.ms)}</h2>
        <Foreign text={end?.status ?? 'no end is recorded'} class="quiet" />
      </header>
      <p class="quiet">
        {shareTimes(timeline.bars)
          .map(([kind, share]) => `${kinds[kind]} ${Math.round(share * 100)} %`)
          .join(' · ')}
      </p>
      <ol class="waterfall">
        {timeline.bars.map((bar) => (
          <BarRow key={bar.key} bar={bar} timeline={timeline} />
        ))}
      </ol>
      {(timeline.folds.length > 0 || isUnfolded.value) && (
        <button type="button" class="button" onClick={toggle}>
          {isUnfolded.value ? 'Fold pauses' : 'Unfold pauses'}
        </button>
      )}
      <SentToModels thread={thread} turn={turn} marks={data.marks.filter((mark) => mark.kind === 'model')} />
    </Scroll>
  );
}

interface BarRowProps {
  readonly bar: Bar;
  readonly timeline: Timeline;
}

function BarRow({ bar, timeline }: BarRowProps): JSX.Element {
  const { kind, name, ms, run } = bar;
  const row = (
    <>
      <span class="bar-name">
        {run === undefined ? <span class="sign" /> : <OutcomeSign outcome={run.outcome} />}
        <Foreign text={name} />
        {run !== undefined && <span class="unseen"> {writeOutcome(run.outcome)} </span>}
        <Foreign text={run?.hook ?? kind} class="quiet bar-kind" />
      </span>
      <Track bar={bar} timeline={timeline} />
      <span class="number quiet bar-ms">{formatDuration(ms)}</span>
    </>
  );
  if (run === undefined) return <li class="bar-row">{row}</li>;
  return (
    <li>
      <a class="bar-row" data-row href={makeLink(['run', run.run])}>
        {row}
      </a>
    </li>
  );
}

function Track({ bar: { kind, from, to }, timeline: { place, folds } }: BarRowProps): JSX.Element {
  const span = (start: number, end: number): { left: string; width: string } => ({
    // A bar is never thinner than a line, and stays inside where it is the last.
    left: `${(place(start) * 99.7).toFixed(2)}%`,
    width: `${((place(end) - place(start)) * 100).toFixed(2)}%`,
  });
  return (
    <span class="bar-track" aria-hidden="true">
      {folds.map((fold) => (
        <span key={fold.from} class="bar-fold" style={span(fold.from, fold.to)} />
      ))}
      <span class={`bar is-${kind}`} style={span(from, to)} />
    </span>
  );
}

interface SentToModelsProps {
  readonly thread: string;
  readonly turn: string;
  readonly marks: readonly ModelMark[];
}

/** What each model was sent of the thread, against what is stored. */
function SentToModels({ thread, turn, marks }: SentToModelsProps): JSX.Element | null {
  if (marks.length === 0) return null;
  return (
    <>
      <h3>What the models were sent</h3>
      <ol class="plain">
        {marks.map((mark) => (
          <li key={`${mark.step} ${mark.at}`} class="sent">
            <p>
              <Foreign text={mark.model} class="run-id" /> <span class="quiet">step {mark.step} </span>
              <span class="quiet number">{writeTokens(mark)}</span>
              {mark.code !== undefined && <Foreign text={` ${mark.code}`} class="bad" />}
            </p>
            <Sent sent={mark.sent} />
            {mark.sent !== undefined && (
              <a
                class="more-link"
                href={makeLink(['t', thread, 'turn', turn, 'step', String(mark.step)])}
                data-row
              >
                Message by message
              </a>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

function writeTokens({ inputTokens, outputTokens }: ModelMark): string {
  if (inputTokens === undefined && outputTokens === undefined) return '';
  return `${formatCount(inputTokens ?? 0)} → ${formatCount(outputTokens ?? 0)} tokens`;
}

interface SentProps {
  readonly sent: ModelMark['sent'];
}

function Sent({ sent }: SentProps): JSX.Element {
  if (sent === undefined) return <p class="quiet">A summary: no messages of the thread.</p>;
  const { request, stored, leftOut } = sent;
  const added = request - stored;
  return (
    <p class="quiet">
      {countWords(stored, 'stored message')} sent
      {added > 0 && `, and ${countWords(added, 'message')} not stored`}
      {leftOut > 0 && `; ${countWords(leftOut, 'message')} left out by hooks`}
    </p>
  );
}
