/**
 * Where and as what sort of error a value was thrown, such as `TypeError at hooks/redact.ts:12:5`: never its
 * message, which may quote data (C9).
 */
export function whereThrown(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const kind = builtIn.find((candidate) => thrown instanceof candidate)?.name ?? 'Error';
  const place = firstFrame(thrown);
  return place === undefined ? kind : `${kind} at ${place}`;
}

const builtIn = [TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError];

/** The position in the first stack line that is surely no part of the message. */
function firstFrame({ stack, message }: Error): string | undefined {
  if (typeof stack !== 'string' || typeof message !== 'string') return undefined;
  const messageAt = stack.indexOf(message);
  if (messageAt < 0 || message.includes('\n')) return undefined;
  const frame = stack.slice(messageAt + message.length).split('\n')[1];
  return frame === undefined ? undefined : /([^\s/\\()]+[/\\])?[^\s/\\()]+:\d+:\d+(?=\)?$)/.exec(frame)?.[0];
}
