import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { countersIn, type KeptPlace } from './kept.ts';

/** How long a claim is respected: a process that claimed and died holds up nobody for longer. */
const PATIENCE_MS = 1_000;
const LOOK_AGAIN_MS = 5;

/**
 * Lets a process go first that others overtook again and again. A claim is a field of the counters. It does not make numbers safer; comparing
 * before each save does that. But the other processes wait a moment for the one with the claim. The save of any process ends it.
 */
export interface Claims {
  /** The value under the key, as soon as no other process has a claim. */
  keptInTurn(place: KeptPlace): Promise<unknown>;
  /** Claims the next save, unless another process has claimed it. */
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
