/**
 * Where and as what sort of error a value was thrown, such as `TypeError at hooks/redact.ts:12:5`: never its
 * message, which may quote data.
 */
export function whereThrown(thrown: unknown): string | undefined {
  try {
    if (!(thrown instanceof Error)) return undefined;
    const kind = builtIn.find((candidate) => thrown instanceof candidate)?.name ?? 'Error';
    const position = firstFrame(thrown);
    return position === undefined ? kind : `${kind} at ${position}`;
  } catch {
    return undefined; // A revoked proxy, an error whose stack throws.
  }
}

const builtIn = [TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError];

/**
 * The position in the first stack line. The line counts only where everything before it is the error's own heading, so
 * that no line of a message is ever taken for one.
 */
function firstFrame({ stack, message }: Error): string | undefined {
  if (typeof stack !== 'string' || typeof message !== 'string') return undefined;
  const frameAt = stack.indexOf('\n    at ');
  const heading = stack.slice(0, Math.max(0, frameAt));
  if (frameAt < 0 || heading.includes('\n') || message.includes('\n') || !heading.endsWith(message))
    return undefined;
  const [frame = ''] = stack.slice(frameAt + 1).split('\n', 1);
  return FILE_AND_POSITION.exec(frame)?.[0];
}

/** A file in its folder, with line and column. Not the text of a `data:` module. */
const FILE_AND_POSITION = /(?<=[\s(/\\])(?:[\w.@+$-]{1,60}[/\\])?[\w.@+$-]{1,60}:\d+:\d+(?=\)?$)/;
