import type { JSX } from 'preact';
import { formatExactTime, formatTime } from '../lib/texts.ts';

/** @param props.at microseconds since the epoch */
export function Time({ at }: { readonly at: number }): JSX.Element {
  const exact = formatExactTime(at);
  return (
    <time class="time" dateTime={exact} title={exact}>
      {formatTime(at)}
    </time>
  );
}
