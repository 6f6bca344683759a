import { setTimeout as wait } from 'node:timers/promises';
import { checkOptionNames, DefinitionError, type OptionNames, RunError } from '@spec/hooks';
import { isHttpUrl } from './engine.ts';

/** Options of {@link registerWorkers}. */
export interface RegisterOptions {
  /** The address of Restate's admin API, such as `http://127.0.0.1:9070`. */
  readonly admin: string;
  /** Where Restate reaches the workers, such as `http://127.0.0.1:9080`: one of them, or what stands before all. */
  readonly address: string;
  /** Sent with the request, such as an `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long Restate and the workers are waited for, in milliseconds; default 60,000. */
  readonly patienceMs?: number;
}

const optionNames: OptionNames<RegisterOptions> = {
  ...{ admin: true, address: true, headers: true, patienceMs: true },
};

/**
 * Tells Restate where the workers are. Call it once for an address, and again when a new release of the workers serves it.
 *
 * @throws {DefinitionError} `bad_option`
 * @throws {RunError} `engine_failed` where Restate, or Restate the workers, cannot be reached
 */
export async function registerWorkers(options: RegisterOptions): Promise<void> {
  checkOptionNames('registerWorkers', options, optionNames);
  const { admin, address, headers, patienceMs = 60_000 } = options;
  for (const [name, url] of Object.entries({ admin, address }))
    if (!isHttpUrl(url))
      throw new DefinitionError(
        'bad_option',
        `registerWorkers: ${name} must be an address such as http://127.0.0.1:9070.`,
      );
  const deadline = performance.now() + patienceMs;
  const body = JSON.stringify({ uri: address, force: true }); // There is no journal that another release could contradict.
  for (;;) {
    const status = await post(new URL('/deployments', admin), body, headers);
    if (status !== undefined && status < 300) return;
    if (performance.now() > deadline) throw notRegistered(status);
    await wait(100);
  }
}

async function post(url: URL, body: string, headers = {}): Promise<number | undefined> {
  try {
    const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}

function notRegistered(status: number | undefined): RunError {
  const why =
    status === undefined
      ? 'Restate cannot be reached: check admin'
      : `Restate does not take them (${status}): check that they run, and that Restate reaches their address`;
  return new RunError('engine_failed', `The workers are not registered. ${why}.`);
}
