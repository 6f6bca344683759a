import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isHelpOpen, keyRows } from '../lib/keyboard.ts';

/** The list of keys. */
export function KeysDialog(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isHelpOpen.value) dialog.current?.showModal();
  }, [isHelpOpen.value]);
  return (
    <dialog
      ref={dialog}
      class="keys"
      aria-labelledby="keys-title"
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <h2 id="keys-title">Keys</h2>
      <dl>
        {keyRows.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split('  ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </dialog>
  );
}
