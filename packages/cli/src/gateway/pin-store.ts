import { mkdirSync, watch } from 'node:fs';
import { makeFingerprint, type PinStore } from '@spec/gateway';
import { describeTrusted, findPinFolder, readPins, writePins } from '../agent-state/tool-pins.ts';

/** Keeps what is trusted of servers in files, which `spec-hooks trust` reads, too. */
export function openPinStore(): PinStore {
  return {
    read(subject) {
      const trusted = readPins(subject)?.trusted ?? undefined;
      if (trusted === undefined) return undefined;
      return new Map(Object.entries(trusted).map(([key, { fingerprint }]) => [key, fingerprint]));
    },
    trust(subject, all) {
      const trusted = Object.fromEntries(
        all.map(({ key, definition }) => [key, { fingerprint: makeFingerprint(definition), definition }]),
      );
      writePins({ subject, trusted, held: [] });
    },
    hold(subject, held) {
      const known = readPins(subject);
      if (known === undefined && held.length === 0) return;
      const noted = held.map((one) => ({ ...one, fingerprint: makeFingerprint(one.definition) }));
      writePins({ subject, trusted: known?.trusted ?? null, held: noted });
    },
  };
}

/** A file is written in several steps, each of which is heard, in milliseconds. */
const PAUSE = 100;

/**
 * Hears when what is trusted changes, such as by a person who has looked. What is held back is written by listings themselves: were it heard,
 * a server whose tools change all the time would be listed, with all others, without end.
 *
 * @returns ends it
 */
export function watchPins(onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    mkdirSync(findPinFolder(), { recursive: true, mode: 0o700 });
    let trusted = describeTrusted();
    const look = (): void => {
      timer = undefined;
      const before = trusted;
      trusted = describeTrusted();
      if (trusted !== before) onChange();
    };
    const watcher = watch(findPinFolder(), { persistent: false }, () => {
      timer ??= setTimeout(look, PAUSE).unref();
    });
    watcher.on('error', () => watcher.close());
    return () => {
      clearTimeout(timer);
      watcher.close();
    };
  } catch {
    return () => {}; // Clients see it with their next listing.
  }
}
