import { mkdirSync, watch } from 'node:fs';
import { makeFingerprint, type PinStore } from '@spec/gateway';
import { findPinFolder, readPins, writePins } from '../agent-state/tool-pins.ts';

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

/** Hears when what is trusted changes, such as by a person who has looked. @returns ends it */
export function watchPins(onChange: () => void): () => void {
  try {
    mkdirSync(findPinFolder(), { recursive: true, mode: 0o700 });
    const watcher = watch(findPinFolder(), { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {}; // Clients see it with their next listing.
  }
}
