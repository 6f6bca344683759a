import type { ContextAPI, TraceAPI } from '@opentelemetry/api';

/** The parts of OpenTelemetry's API that spans are made with. */
export interface OpenTelemetry {
  readonly trace: TraceAPI;
  readonly context: ContextAPI;
}

/** Where every copy of the API, whatever its version within 1.x, finds the SDK that the application registered. */
const registry: unique symbol = Symbol.for('opentelemetry.js.api.1');

let loaded: OpenTelemetry | undefined;

/**
 * OpenTelemetry, once the application has registered an SDK. Without one this is a look-up: the API itself, 25 ms of
 * modules, is loaded only when there is something to trace for.
 */
export function openTelemetry(): OpenTelemetry | undefined {
  return isRegistered() ? loaded : undefined;
}

/** Loads the API where an SDK is registered; `undefined` where there is nothing to wait for. */
export function loadOpenTelemetry(): Promise<void> | undefined {
  return loaded === undefined && isRegistered() ? load() : undefined;
}

function isRegistered(): boolean {
  return (globalThis as { [registry]?: { trace?: unknown } })[registry]?.trace !== undefined;
}

async function load(): Promise<void> {
  try {
    const { trace, context } = await import('@opentelemetry/api');
    loaded = { trace, context };
  } catch {
    // A bundle may be without it: then there are no spans, but there are turns.
  }
}
