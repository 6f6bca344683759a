import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { fetchWithToken } from '../lib/session.ts';

interface SaveProps {
  /** What the server gives. */
  readonly path: string;
  readonly name: string;
  readonly children: string;
}

/** Saves what a path gives as a file: a link cannot carry the token. */
export function Save({ path, name, children }: SaveProps): JSX.Element {
  const state = useSignal<'ready' | 'busy' | 'failed'>('ready');
  const save = async (): Promise<void> => {
    state.value = 'busy';
    const answer = await fetchWithToken(path).catch(() => undefined);
    if (answer?.ok) keepFile(await answer.blob(), name);
    state.value = answer?.ok ? 'ready' : 'failed';
  };
  return (
    <button type="button" class="link" disabled={state.value === 'busy'} onClick={() => void save()}>
      {state.value === 'failed' ? `${children}: it could not be read` : children}
    </button>
  );
}

interface SaveTextProps {
  readonly text: string;
  readonly name: string;
  readonly children: string;
}

/** Saves a text that is here already. */
export function SaveText({ text, name, children }: SaveTextProps): JSX.Element {
  return (
    <button type="button" class="link" onClick={() => keepFile(new Blob([text]), name)}>
      {children}
    </button>
  );
}

function keepFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
