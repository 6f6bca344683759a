import { type LifecycleName, lifecycleRow } from '@spec/hooks';

/** Whether a hook decides something: a denial, or whether the turn goes on. */
export function isDeciding(hook: LifecycleName): boolean {
  return lifecycleRow(hook).kind === 'decide';
}

/** Whether a hook guards something: it denies where it fails, before anything has happened. */
export function isGate(hook: LifecycleName): boolean {
  return isDeciding(hook) && lifecycleRow(hook).onFailure === 'block';
}
