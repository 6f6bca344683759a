import type { OptionNames } from '@spec/hooks';
import { isGate } from '../gates.ts';
import type { CommandEntry, Effect, Effects } from '../normal-form.ts';

/** The least that failures do, whatever files say: an operator can make guards stricter but not laxer. */
export interface Hardening {
  readonly onTimeout?: Effect;
  /** A non-zero exit, and death by a signal. */
  readonly onExit?: Effect;
  readonly onLaunchError?: Effect;
  readonly onInvalidOutput?: Effect;
}

export const hardeningNames: OptionNames<Hardening> = {
  onTimeout: true,
  onExit: true,
  onLaunchError: true,
  onInvalidOutput: true,
};

const strictness: Readonly<Record<Effect, number>> = { continue: 0, ask: 1, block: 2 };

/** Returns the entry with effects at least as strict. Applies only to awaited entries of gates. */
export function harden(entry: CommandEntry, hardening: Hardening): CommandEntry {
  if (!entry.isAwaited || !isGate(entry.event)) return entry;
  const { onBlockingExit, onExit, onTimeout, onLaunchError, onInvalidOutput } = entry.effects;
  const effects: Effects = {
    onBlockingExit,
    onExit: stricter(onExit, hardening.onExit),
    onTimeout: stricter(onTimeout, hardening.onTimeout),
    onLaunchError: stricter(onLaunchError, hardening.onLaunchError),
    onInvalidOutput: stricter(onInvalidOutput, hardening.onInvalidOutput),
  };
  return { ...entry, effects };
}

function stricter(one: Effect, other: Effect = 'continue'): Effect {
  return strictness[one] >= strictness[other] ? one : other;
}
