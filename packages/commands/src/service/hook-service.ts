// Service: asks hooks from outside of a runtime. Agent loops of their own call it; it never knows where the hooks come from.

import { checkOptionNames, type OptionNames } from '@spec/hooks';
import { createRunner, type RunnerOptions } from './runner.ts';
import { type SessionFunctions, sessionFunctions } from './session-functions.ts';
import { type ToolFunctions, toolFunctions } from './tool-functions.ts';

export type { Notice } from './outside-state.ts';
export type { PostToolHookResult, PreToolHookResult, ToolOutcome } from './tool-functions.ts';

/** Which hooks a service has, and who hears of them. */
export type HookServiceOptions = RunnerOptions;

const optionNames: OptionNames<HookServiceOptions> = {
  hooks: true,
  projectDir: true,
  onNotice: true,
  onRun: true,
};

/** Functions that read hooks of the service format and tell how they behave. */
export interface HookService extends SessionFunctions, ToolFunctions {
  /** Whether there are hooks; where they are loaded by folder, `true` until those of `projectDir` turned out to be none. */
  isHooksAvailable(): boolean;
}

/** The functions of the hook service chapter over these hooks, for an agent loop that has no runtime of ours around it. */
export function createHookService(options: HookServiceOptions): HookService {
  checkOptionNames('createHookService', options, optionNames);
  const runner = createRunner(options);
  return {
    isHooksAvailable: () => runner.hasHooks(),
    ...sessionFunctions(runner),
    ...toolFunctions(runner),
  };
}
