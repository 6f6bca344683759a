import type { ExecutionState } from '@spec/hooks';
import type { ThreadView } from '../thread/core.ts';
import type { WritePermit } from '../thread/permit.ts';

/** The execution state in a hook or tool: its signal is the hook's or call's own (C4). */
export class PermittedExecution implements ExecutionState {
  readonly #view: ThreadView;
  readonly #permit: WritePermit;

  constructor(view: ThreadView, permit: WritePermit) {
    this.#view = view;
    this.#permit = permit;
  }
  get flowId(): string {
    return this.#view.flow.flowId;
  }
  get currentSide(): 'a' | 'b' {
    return this.#view.flow.currentSide;
  }
  get stepCount(): number {
    return this.#view.flow.stepCount;
  }
  get stopped(): boolean {
    return this.#view.flow.stopped;
  }
  get callKey(): string | undefined {
    return this.#view.place?.callKey;
  }
  get abortSignal(): AbortSignal {
    return this.#permit.signal;
  }
  stop(): void {
    this.#view.assertOpen('execution.stop');
    this.#view.flow.stop();
  }
}
