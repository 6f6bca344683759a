import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { RunPage, RunWithValues } from '../../api.ts';
import { writeSizes } from '../../sizes.ts';
import { makeLink, makePath, useAsked } from '../lib/ask.ts';
import { findSkipReason, writeSkipReason } from '../lib/skip-reasons.ts';
import { formatCount, formatDuration, formatExactTime, showControls } from '../lib/texts.ts';
import { Foreign, ForeignBlock } from '../parts/foreign.tsx';
import { OutcomeSign, OutcomeWord, writeOutcome } from '../parts/outcome.tsx';
import { Scroll } from '../parts/rows.tsx';
import { Failed, Waiting } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';

/** One run: all that is recorded of it, and what its hook did before and after. */
export function RunView({ name }: { readonly name: string }): JSX.Element {
  const { data: run, failure } = useAsked<RunWithValues>(makePath(['api', 'runs', name]));
  if (failure !== undefined) return <Failed failure={failure} />;
  if (run === undefined) return <Waiting />;
  return (
    <Scroll class="sheet" label="Run">
      <header class="sheet-head">
        <h2>
          <Foreign text={run.id} />
        </h2>
        <OutcomeWord outcome={run.outcome} />
      </header>
      {(run.why !== undefined || run.outcome === 'skipped') && (
        <p class="lead">
          {run.outcome === 'skipped' && `${writeSkipReason(findSkipReason(run.why))} `}
          <Foreign text={run.why ?? ''} class={run.outcome === 'skipped' ? 'quiet' : ''} />
        </p>
      )}
      <RunFacts run={run} />
      <Neighbours run={run} />
      <RunValues name={name} key={name} />
    </Scroll>
  );
}

function RunFacts({ run }: { readonly run: RunWithValues }): JSX.Element {
  const { threadId, turnId, step, hook, source, about, code, ms, at } = run;
  const subject = about?.message ?? about?.call;
  return (
    <dl class="facts">
      <Fact name="hook">
        <a href={makeLink(['hooks', hook, run.id])}>
          <Foreign text={hook} />
        </a>
      </Fact>
      <Fact name="source">
        <Foreign text={source} />
      </Fact>
      <Fact name="thread">
        <a href={makeLink(['t', threadId])}>
          <Foreign text={threadId} class="id" />
        </a>
      </Fact>
      <Fact name="turn">
        {turnId === null ? (
          <span class="quiet">not of a turn</span>
        ) : (
          <>
            <a href={makeLink(['t', threadId, 'turn', turnId])}>
              <Foreign text={turnId} class="id" />
            </a>
            , step {step}
          </>
        )}
      </Fact>
      {subject !== undefined && (
        <Fact name={about?.message === undefined ? 'call' : 'message'}>
          {about?.message === undefined ? (
            <Foreign text={subject} class="id" />
          ) : (
            <a href={makeLink(['t', threadId, 'm', subject])}>
              <Foreign text={subject} class="id" />
            </a>
          )}
        </Fact>
      )}
      {code !== undefined && <Fact name="code">{showControls(code)}</Fact>}
      <Fact name="time">
        <span class="number">{formatDuration(ms)}</span>
      </Fact>
      <Fact name="size">
        <span class="number">{writeSizes(run)}</span>
      </Fact>
      <Fact name="at">
        <Time at={at} /> <span class="quiet number">{formatExactTime(at)}</span>
      </Fact>
      <Fact name="run">
        <span class="id">{run.run}</span>
      </Fact>
    </dl>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** The last runs of the same hook, as a strip. */
function Neighbours({ run }: { readonly run: RunWithValues }): JSX.Element | null {
  const { data } = useAsked<RunPage>(
    makePath(['api', 'runs'], { hook: run.hook, id: run.id, size: '100' }),
    false,
  );
  if (data === undefined) return null;
  return (
    <>
      <h3>Its last {formatCount(data.items.length)} runs</h3>
      <ol class="strip" reversed>
        {data.items.toReversed().map((one) => (
          <li key={one.run}>
            <a
              href={makeLink(['run', one.run])}
              aria-current={one.run === run.run ? 'page' : undefined}
              title={`${writeOutcome(one.outcome)}, ${formatDuration(one.ms)}`}
            >
              <OutcomeSign outcome={one.outcome} />
              <span class="unseen">{writeOutcome(one.outcome)}</span>
            </a>
          </li>
        ))}
      </ol>
    </>
  );
}

/** What was traced of its data: asked for by one click, for this run, and gone when one leaves. */
function RunValues({ name }: { readonly name: string }): JSX.Element {
  const isOpen = useSignal(false);
  const { data } = useAsked<RunWithValues>(
    isOpen.value ? makePath(['api', 'runs', name], { values: '1' }) : null,
    false,
  );
  useEffect(
    () => () => {
      isOpen.value = false;
    },
    [name],
  );
  if (!isOpen.value)
    return (
      <button
        type="button"
        class="button"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        Show its values
      </button>
    );
  if (data === undefined) return <Waiting />;
  return (
    <>
      <h3>Values</h3>
      {data.values === null || data.values === undefined ? (
        <p class="note">
          None are recorded. A runtime with <code>trace: 'values'</code> records them; use it on test systems.
        </p>
      ) : (
        <ForeignBlock isCode text={JSON.stringify(data.values, undefined, 2)} />
      )}
    </>
  );
}
