import type { JSX } from 'preact';
import type { ShownAsk } from '../../asks.ts';
import { makeLink } from '../lib/ask.ts';
import { describeAsk } from '../lib/asks.ts';
import { Foreign } from './foreign.tsx';
import { Time } from './time.tsx';

/** Who waits for a person: before all else, because nothing goes on there. */
export function WaitingAsks({ asks }: { readonly asks: readonly ShownAsk[] }): JSX.Element | null {
  if (asks.length === 0) return null;
  return (
    <>
      <h2 class="group">Waiting for a person</h2>
      <ul>
        {asks.map((ask) => (
          <li key={ask.id}>
            <a href={makeLink(['ask', ask.threadId, ask.id])} class="waiting-ask" data-row>
              <Foreign text={ask.threadId} class="id" />
              <strong>
                <Foreign text={describeAsk(ask)} />
              </strong>
              <Foreign text={ask.userMessage ?? ask.reason ?? ''} class="quiet" />
              <Time at={ask.at} />
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
