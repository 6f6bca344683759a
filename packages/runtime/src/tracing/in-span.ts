import type { Attributes, Context, Span } from '@opentelemetry/api';
import { DefinitionError, RunError } from '@spec/hooks';
import type { ThreadView } from '../thread/core.ts';
import { attribute } from './attributes.ts';
import { type OpenTelemetry, openTelemetry } from './open-telemetry.ts';

/** What a span says from its start, and what it adds when its result is known. Ids, names, codes and counts; never data (C9). */
export interface SpanOf<T> {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  describeEnd(result: T): SpanEnd;
}

export interface SpanEnd {
  readonly attributes?: Attributes;
  /** The code of what went wrong, where something did. */
  readonly error?: string | undefined;
}

/** The API's numbers: taking its enums would load it. */
export const spanKind = { internal: 0, client: 2 } as const;
type SpanKind = (typeof spanKind)[keyof typeof spanKind];
const errorStatus = 2;

/** Whose spans they are, for samplers and processors. */
const TRACER = '@spec/runtime';

/**
 * Runs something in a span of its own: what it starts, in our code or in other libraries, belongs to that span. Without an
 * SDK it just runs.
 */
export function inSpan<T>(
  view: ThreadView,
  describe: () => SpanOf<T>,
  run: (view: ThreadView) => Promise<T>,
): Promise<T> {
  const api = openTelemetry();
  return api === undefined ? run(view) : runInSpan(view, { api, ...describe(), run });
}

interface SpanRun<T> extends SpanOf<T> {
  readonly api: OpenTelemetry;
  run(view: ThreadView): Promise<T>;
}

async function runInSpan<T>(view: ThreadView, { api, run, describeEnd, ...about }: SpanRun<T>): Promise<T> {
  const around = contextAround(api, view.trace);
  const span = startSpan(api, about, around);
  const inside = api.trace.setSpan(around, span);
  try {
    const result = await api.context.with(inside, () => run(view.traced(inside)));
    writeSpanEnd(span, describeEnd(result));
    return result;
  } catch (error) {
    writeSpanEnd(span, { error: findSpanError(error) });
    throw error;
  } finally {
    span.end();
  }
}

/** A span of something that is over. */
export function recordSpan(
  { api, view, ms }: { api: OpenTelemetry; view: ThreadView; ms: number },
  { name, kind, attributes }: Omit<SpanOf<never>, 'describeEnd'>,
  ended: SpanEnd,
): void {
  const end = Date.now();
  const around = view.trace ?? api.context.active();
  const span = startSpan(api, { name, kind, attributes, startTime: end - ms }, around);
  writeSpanEnd(span, ended);
  span.end(end);
}

type SpanStart = Omit<SpanOf<never>, 'describeEnd'> & { readonly startTime?: number };

function startSpan({ trace }: OpenTelemetry, { name, ...options }: SpanStart, around: Context): Span {
  return trace.getTracer(TRACER).startSpan(name, options, around);
}

function writeSpanEnd(span: Span, { attributes, error }: SpanEnd): void {
  if (attributes !== undefined) span.setAttributes(attributes);
  if (error === undefined) return;
  span.setAttribute(attribute.error, error);
  span.setStatus({ code: errorStatus, message: error });
}

/**
 * What is around a new span. Asynchronous context is more exact, for it knows the spans of a tool's own code; but where it
 * was lost (a timer of another thread, no context manager) what the view remembers is right.
 */
function contextAround({ trace, context }: OpenTelemetry, known: Context | undefined): Context {
  const active = context.active();
  if (known === undefined) return active;
  const traceOf = (of: Context): string | undefined => trace.getSpanContext(of)?.traceId;
  return traceOf(active) === traceOf(known) ? active : known;
}

/** An error of ours has a code; of any other nothing may be told (C9). */
function findSpanError(error: unknown): string {
  try {
    if (error instanceof RunError || error instanceof DefinitionError) return error.code;
  } catch {} // It throws when it is looked at.
  return 'unexpected';
}
