import type { JSX } from 'preact';
import type { TextChange, TextPart } from '../../api.ts';
import { showControls } from '../lib/texts.ts';

/** The texts before and after, word by word. */
export function TextChanges({ changes }: { readonly changes: readonly TextChange[] }): JSX.Element {
  return (
    <>
      {changes.map(({ path, parts }) => (
        <div key={path} class="block diff">
          {path !== '' && <span class="quiet diff-path">{showControls(path)}</span>}
          {parts.map(drawPart)}
        </div>
      ))}
    </>
  );
}

function drawPart({ kind, text }: TextPart, i: number): JSX.Element {
  const Mark = kind === 'added' ? 'ins' : kind === 'removed' ? 'del' : 'span';
  return <Mark key={i}>{showControls(text)}</Mark>;
}
