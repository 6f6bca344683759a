import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { countersIn, type KeptPlace } from './kept.ts';

/** How long a claim is respected: who claimed and died holds nobody up for longer. */
const PATIENCE_MS = 1_000;
const LOOK_AGAIN_MS = 5;

/**
 * Lets a process that others overtook again and again go first. A claim is a field of the counters: it makes nobody's numbers safer, which
 * is what comparing before each save does, but the others wait a moment for the one that has it. The save of any process ends it.
 */
export interface Claims {
  /** What the thread has under the key, once no other process has a claim. */
  keptInTurn(place: KeptPlace): Promise<unknown>;
  /** Claims the next save, where nobody else has. */
  claim(place: KeptPlace): Promise<void>;
}

export function createClaims(): Claims {
  const own = randomUUID();
  let count = 0;
  let expired: string | undefined;

  return {
    async keptInTurn({ state, valueKey }) {
      let first: string | undefined;
      let since = 0;
      for (;;) {
        const kept = await state.getValue(valueKey);
        const claim = countersIn(kept, valueKey)?.claim;
        if (claim === undefined || claim === expired || claim.startsWith(own)) return kept;
        if (claim !== first) since = performance.now();
        first = claim;
        if (performance.now() - since > PATIENCE_MS) expired = claim;
        else await setTimeout(LOOK_AGAIN_MS);
      }
    },
    async claim({ state, valueKey }) {
      const value = await state.getValue(valueKey);
      const counters = countersIn(value, valueKey);
      if (counters === undefined || (counters.claim !== undefined && counters.claim !== expired)) return;
      const claimed = { ...counters, claim: `${own} ${count++}` };
      await state.setValuesIf({ key: valueKey, value }, [{ key: valueKey, value: claimed }]);
    },
  };
}
