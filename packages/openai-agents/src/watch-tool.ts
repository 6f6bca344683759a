import {
  type FunctionSpanData,
  getCurrentSpan,
  getCurrentTrace,
  MultiTracingProcessor,
  NoopSpan,
  NoopTrace,
  withTraceContext,
} from '@openai/agents';

/** Hears of no span. */
const nobody = new MultiTracingProcessor();

/** Where nothing is traced, keeps what would be in the trace. */
class WatchedSpan extends NoopSpan<FunctionSpanData> {
  hasFailed = false;

  constructor() {
    super({ type: 'function', name: 'watched', input: '', output: '' }, nobody);
  }

  override setError(): void {
    this.hasFailed = true;
  }
}

/**
 * Runs a tool, and tells whether it failed: a tool of the SDK gives a text for its error, and notes the error in the span of its call.
 *
 * @param isHidden whether hooks may change that text, so that the span does not keep what the error said
 */
export async function watchTool(
  invoke: () => Promise<unknown>,
  isHidden: boolean,
): Promise<{ given: unknown; hasFailed: boolean }> {
  const span = getCurrentSpan();
  if (span !== null && !(span instanceof NoopSpan)) {
    const given = await invoke();
    const { error } = span;
    if (error !== null && isHidden) span.setError({ message: error.message });
    return { given, hasFailed: error !== null };
  }
  const watched = new WatchedSpan();
  const trace = getCurrentTrace() ?? new NoopTrace();
  const given = await withTraceContext({ trace, span: watched }, invoke);
  return { given, hasFailed: watched.hasFailed };
}
