import type { AnyHook } from '../define/define.ts';
import { RunError } from '../errors.ts';
import type { MatchEnvironment } from '../match/matcher.ts';
import type { ChainArguments } from './arguments.ts';
import { InputProblem } from './failure.ts';

/** Why a matcher does not want a call; nothing where it does. @throws {InputProblem} where it cannot tell */
export function misfitOf(
  matcher: NonNullable<AnyHook['matcher']>,
  args: ChainArguments,
  environment: MatchEnvironment | undefined,
): string | undefined {
  try {
    const call = args.toolCall();
    return matcher.test(call, environment) ? undefined : matcher.explain(call, environment);
  } catch (error) {
    const text =
      error instanceof RunError ? error.message : 'the matcher could not be applied to the tool call';
    throw new InputProblem(text);
  }
}
