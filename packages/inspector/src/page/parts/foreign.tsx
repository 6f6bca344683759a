import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { showControls } from '../lib/texts.ts';

/** A text of somebody else's, in one line or a few words: nothing in it is obeyed. */
export function Foreign({
  text,
  class: name,
}: {
  readonly text: string;
  readonly class?: string;
}): JSX.Element {
  return <bdi class={name}>{showControls(text)}</bdi>;
}

/** Characters of a long text that are shown before one asks for all. */
const shown = 1_200;

interface ForeignBlockProps {
  readonly text: string;
  /** The characters of the whole text, where this is its start. */
  readonly size?: number;
  readonly isCode?: boolean;
  /** Brings the rest where it is not here. */
  readonly onWhole?: () => void;
}

/** A longer text of somebody else's, as it was written, in lines. */
export function ForeignBlock({
  text,
  size = text.length,
  isCode = false,
  onWhole,
}: ForeignBlockProps): JSX.Element {
  const isOpen = useSignal(false);
  const part = isOpen.value ? text : text.slice(0, shown);
  const isCut = part.length < size;
  const open = (): void => {
    isOpen.value = true;
    if (text.length < size) onWhole?.();
  };
  return (
    <div class={isCode ? 'block code' : 'block'}>
      <bdi>{showControls(part)}</bdi>
      {isCut && (
        <button type="button" class="link" onClick={open}>
          … all {size.toLocaleString('en')} characters
        </button>
      )}
    </div>
  );
}
