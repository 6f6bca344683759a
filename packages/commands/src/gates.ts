import { type LifecycleName, lifecycleRow } from '@spec/hooks';

/** Whether a hook makes a decision, such as a denial or keeping the turn going. */
export function isDeciding(hook: LifecycleName): boolean {
  return lifecycleRow(hook).kind === 'decide';
}

/** Whether a hook is a gate: it runs before something happens and denies it if the hook fails. */
export function isGate(hook: LifecycleName): boolean {
  return isDeciding(hook) && lifecycleRow(hook).onFailure === 'block';
}
