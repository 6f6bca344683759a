// Parts: what several views are made of. Views draw them; they ask the server for nothing.

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { VList, type VListHandle } from 'virtua';

/** The only file that knows the library behind long lists. */
interface RowsProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly draw: (row: Row, index: number) => JSX.Element;
  /** Rows were put before the others: what is visible stays where it is. */
  readonly isGrownAbove?: boolean;
  readonly onStart?: () => void;
  readonly onEnd?: () => void;
  /** Whether the last row is to be seen; called when that changes. */
  readonly onFollow?: (isAtEnd: boolean) => void;
  /** The row that is brought into view when this changes. */
  readonly target?: number | undefined;
  /** Called when the first row goes out of sight, and when it is back. */
  readonly onLeaveStart?: (isLeft: boolean) => void;
  /** Brings the first row into view when this changes. */
  readonly timesToStart?: number;
  /** Starts at the last row, and stays there while rows are added. */
  readonly followsEnd?: boolean;
}

/** Pixels from an edge at which more is asked for. */
const near = 600;
/** Pixels from an edge that still count as being there. */
const there = 40;

/** A long list, of which only what is visible is in the page. */
export function Rows<Row>(props: RowsProps<Row>): JSX.Element {
  const { label, rows, draw, isGrownAbove = false, target, followsEnd = false, timesToStart = 0 } = props;
  const list = useRef<VListHandle>(null);
  const atEnd = useRef(followsEnd);
  const setAtEnd = (isAtEnd: boolean): void => {
    if (atEnd.current === isAtEnd) return;
    atEnd.current = isAtEnd;
    props.onFollow?.(isAtEnd);
  };
  useEffect(() => {
    if (target !== undefined && target >= 0) {
      setAtEnd(false);
      list.current?.scrollToIndex(target, { align: 'center' });
    }
  }, [target]);
  useEffect(() => {
    if (timesToStart > 0) list.current?.scrollTo(0);
  }, [timesToStart]);
  useEffect(() => {
    if (atEnd.current && rows.length > 0) list.current?.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [rows]);
  const watch = (): void => {
    if (list.current === null) return;
    const { scrollOffset, scrollSize, viewportSize } = list.current;
    const below = scrollSize - scrollOffset - viewportSize;
    if (followsEnd) setAtEnd(below < there);
    props.onLeaveStart?.(scrollOffset >= there);
    if (scrollOffset < near) props.onStart?.();
    if (below < near) props.onEnd?.();
  };
  // The library is written for React: its reference also has the type of the element.
  const handle = list as unknown as NonNullable<Parameters<typeof VList>[0]['ref']>;
  const children = rows.map(draw) as unknown as Parameters<typeof VList>[0]['children'];
  return (
    <VList
      ref={handle}
      shift={isGrownAbove}
      onScroll={watch}
      class="rows"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      {children}
    </VList>
  );
}

interface ScrollProps {
  readonly label: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** A region that scrolls by itself, with the keyboard too. */
export function Scroll({ label, class: name, children }: ScrollProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    <section class={`${name} scrolls`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
