import type { ComponentChildren, JSX } from 'preact';
import { type AskFailure, isPassing } from '../lib/failure.ts';
import { Foreign } from './foreign.tsx';

/** What stands where there is nothing, with the reason. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** What is told of a failure, and what to do. */
const told: Readonly<Record<string, readonly [title: string, advice: string]>> = {
  not_found: ['Not there', 'It was deleted, pruned, or the link is of another store.'],
  store_unreadable: [
    'The store cannot be read',
    'End spec-hooks inspect, and start it again once the file is a store again.',
  ],
  store_older: [
    'The store is of an older version',
    'End spec-hooks inspect and start it again: it brings the file to its own version.',
  ],
  store_newer: ['The store is of a newer version', 'Update @spec/cli, and start spec-hooks inspect again.'],
  store_failed: ['The store cannot be read now', 'Another process may keep the file locked.'],
  unreachable: ['The server does not answer', 'Start spec-hooks inspect again, and open its new link.'],
};

interface FailedProps {
  readonly failure: AskFailure;
  /** What asks again where nothing does by itself. */
  readonly onAgain?: () => void;
}

export function Failed({ failure, onAgain }: FailedProps): JSX.Element {
  const { code, message } = failure;
  const [title, advice] = told[code] ?? ['It could not be read', ''];
  return (
    <Empty title={title}>
      <p>
        <Foreign text={message} />
      </p>
      {advice !== '' && <p>{advice}</p>}
      {onAgain !== undefined ? (
        <button type="button" class="button" onClick={onAgain}>
          Ask again
        </button>
      ) : (
        isPassing(failure) && <p>It is tried again by itself.</p>
      )}
    </Empty>
  );
}

/** Over what was read before, and could not be read again. */
export function NotNew({ failure }: { readonly failure: AskFailure }): JSX.Element {
  const [title] = told[failure.code] ?? ['It could not be read again'];
  return (
    <p class="pane-note" role="status">
      {title}: this is how it was before. It is tried again by itself.
    </p>
  );
}

/** For the moment before the first answer: nothing jumps when it comes. A longer one says what is waited for. */
export function Waiting({ text }: { readonly text?: string }): JSX.Element {
  if (text === undefined) return <div class="waiting" aria-hidden="true" />;
  return (
    <div class="waiting" role="status">
      <p class="note late">{text}</p>
    </div>
  );
}

/** While a long ledger is read for the first time. */
export function Counting(): JSX.Element {
  return (
    <p class="note counting" role="status">
      The ledger is long: its runs are being counted.
    </p>
  );
}
