import { useComputed, useSignal } from '@preact/signals';
import type { Outcome, RunBucket } from '@spec/hooks';
import type { JSX } from 'preact';
import type { RunSeries } from '../../api.ts';
import { makePath, useAsked } from '../lib/ask.ts';
import { formatCount, formatDuration, formatTime } from '../lib/texts.ts';

interface HookSeriesProps {
  readonly hook: string;
  readonly id: string;
}

const spans: Readonly<Record<string, number>> = { '1 h': 3_600, '24 h': 86_400, '7 d': 604_800 };
const bucketCount = 96;
const worst: readonly Outcome[] = ['denied', 'failed', 'timed_out', 'invalid_input', 'invalid_result'];

/** What a hook did over time: columns, and the same as a table. */
export function HookSeries({ hook, id }: HookSeriesProps): JSX.Element {
  const span = useSignal('24 h');
  // The end is fixed when the time is chosen, so that the question stays the same until then.
  const times = useComputed(() => {
    const until = Math.ceil(Date.now() / 60_000) * 60_000_000;
    return { since: until - (spans[span.value] ?? 0) * 1_000_000, until };
  });
  const { since, until } = times.value;
  const query = { hook, id, since: String(since), until: String(until), size: String(bucketCount) };
  const { data } = useAsked<RunSeries>(makePath(['api', 'series'], query), false);
  const buckets = data?.buckets ?? [];
  return (
    <>
      <div class="series-head">
        <h3>Over time</h3>
        <select
          aria-label="Time that is shown"
          value={span.value}
          onChange={(event) => {
            span.value = event.currentTarget.value;
          }}
        >
          {Object.keys(spans).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <Columns buckets={buckets} />
      <Latency buckets={buckets} />
      <p class="span-names" aria-hidden="true">
        <span>{formatTime(since)}</span>
        <span>{formatTime(until)}</span>
      </p>
      <SeriesTable buckets={buckets.filter(({ runs }) => runs > 0)} />
    </>
  );
}

interface BucketsProps {
  readonly buckets: readonly RunBucket[];
}

/** All runs, and of them in colour those that changed something, were denied or failed. */
function Columns({ buckets }: BucketsProps): JSX.Element {
  const most = Math.max(1, ...buckets.map(({ runs }) => runs));
  const draw = (look: string, i: number, count: number): JSX.Element => {
    const height = (count / most) * 100;
    return <rect key={look} class={look} x={i} width={0.8} y={100 - height} height={height} />;
  };
  return (
    <svg class="columns" viewBox={`0 0 ${bucketCount} 100`} preserveAspectRatio="none" aria-hidden="true">
      {buckets.map((bucket, i) => [
        draw('all', i, bucket.runs),
        draw('some', i, bucket.changed + countWorst(bucket)),
        draw('worst', i, countWorst(bucket)),
      ])}
    </svg>
  );
}

/** The lines that are drawn over the times. */
const lines = ['p50', 'p99'] as const;

/** How long it took, on a scale where each step is ten times the one before. */
function Latency({ buckets }: BucketsProps): JSX.Element | null {
  const times = buckets.flatMap(({ runs, p50, p99 }) => (runs > 0 ? [p50, p99] : []));
  if (times.length === 0) return null;
  const [least, most] = [0.1, 10 ** Math.ceil(Math.log10(Math.max(1, ...times)))];
  const place = (ms: number): number =>
    100 - (Math.log10(Math.max(ms, least) / least) / Math.log10(most / least)) * 100;
  const marks = [most, Math.sqrt(most * least), least];
  return (
    <figure class="latency">
      <figcaption>
        Time it took{' '}
        {lines.map((name) => (
          <span key={name} class={`line-name is-${name}`}>
            {name}
          </span>
        ))}
      </figcaption>
      <div class="latency-plot">
        <svg viewBox={`0 0 ${bucketCount} 100`} preserveAspectRatio="none" aria-hidden="true">
          {lines.map((name) => (
            <g key={name} class={`line is-${name}`}>
              {buckets.map(
                (bucket, i) =>
                  bucket.runs > 0 && (
                    <path
                      key={bucket.from}
                      d={`M${i} ${place(bucket[name])}h0.8`}
                      vector-effect="non-scaling-stroke"
                    />
                  ),
              )}
            </g>
          ))}
        </svg>
        <ol class="latency-marks" aria-hidden="true">
          {marks.map((ms) => (
            <li key={ms}>{formatDuration(ms)}</li>
          ))}
        </ol>
      </div>
    </figure>
  );
}

function countWorst({ outcomes }: RunBucket): number {
  return worst.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0);
}

const columns = ['from', 'runs', 'changed', 'denied or failed', 'p50', 'p99'];

function SeriesTable({ buckets }: BucketsProps): JSX.Element {
  return (
    <details class="series-table">
      <summary>As a table</summary>
      <table class="hook-table">
        <thead>
          <tr>
            {columns.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket) => (
            <tr key={bucket.from} class="number">
              <th scope="row">{formatTime(bucket.from)}</th>
              <td>{formatCount(bucket.runs)}</td>
              <td>{formatCount(bucket.changed)}</td>
              <td>{formatCount(countWorst(bucket))}</td>
              <td>{formatDuration(bucket.p50)}</td>
              <td>{formatDuration(bucket.p99)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
