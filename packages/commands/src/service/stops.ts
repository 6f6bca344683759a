/** How often in a row a stop can be put off. */
const MOST = 8;

/** Sessions that are remembered; the oldest is forgotten first. */
const SESSIONS = 10_000;

/** Counts how often in a row the stop of a session was put off. */
export interface Stops {
  of(sessionId: string): number;
  /** Counts one more; `false` where it was put off too often. */
  mayGoOn(sessionId: string): boolean;
  forget(sessionId: string): void;
}

export function createStops(): Stops {
  const counts = new Map<string, number>();
  const of = (sessionId: string): number => counts.get(sessionId) ?? 0;
  return {
    of,
    mayGoOn(sessionId) {
      const count = of(sessionId) + 1;
      counts.delete(sessionId);
      if (count > MOST) return false;
      counts.set(sessionId, count);
      if (counts.size > SESSIONS) counts.delete(counts.keys().next().value as string);
      return true;
    },
    forget: (sessionId) => void counts.delete(sessionId),
  };
}
