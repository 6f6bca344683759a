import { RunError } from '../errors.ts';
import type { Shape } from '../shapes/shape.ts';
import { type Failure, failureText } from './failure.ts';
import type { RunningChain } from './running-chain.ts';

/**
 * Takes the subject of a chain that a failure blocks out of what follows.
 *
 * @throws {RunError} where nothing can take the subject's place
 */
export function withhold({ row, args, hook: running }: RunningChain, failure: Failure): void {
  const { hook, id } = running;
  if (row.withhold === undefined)
    throw new RunError(failure.code, failureText(running, failure), { hook, id });
  args.subject = (row.args.at(-1) as Shape<unknown>).hold(row.withhold(id));
}
