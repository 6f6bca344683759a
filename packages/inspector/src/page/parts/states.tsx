import type { ComponentChildren, JSX } from 'preact';
import type { AskFailure } from '../lib/ask.ts';

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

export function Failed({ failure }: { readonly failure: AskFailure }): JSX.Element {
  const isGone = failure.code === 'not_found';
  return (
    <Empty title={isGone ? 'Not there' : 'It could not be read'}>
      <p>{failure.message}</p>
      {isGone && <p>It was deleted, pruned, or the link is of another store.</p>}
    </Empty>
  );
}

/** For the moment before the first answer: nothing jumps when it comes. */
export function Waiting(): JSX.Element {
  return <div class="waiting" aria-hidden="true" />;
}

/** While a long ledger is read for the first time. */
export function Counting(): JSX.Element {
  return (
    <p class="note counting" role="status">
      The ledger is long: its runs are being counted.
    </p>
  );
}
