import { isRecord, RunError } from '@spec/hooks';

/** More than any agent sends: a tool's input with a large file in it. */
const MAX_BYTES = 33_554_432;

/**
 * Reads what an agent sends to its end, since an agent that cannot write fails its hook.
 *
 * @throws {RunError} `input_too_large`: nothing of it is kept, and no guard can see it
 */
export async function readInput(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length <= MAX_BYTES) chunks.push(chunk);
  }
  if (length <= MAX_BYTES) return Buffer.concat(chunks).toString('utf8');
  throw new RunError(
    'input_too_large',
    `The agent sent ${length} bytes, and no hook is given more than ${MAX_BYTES}: do this in smaller pieces.`,
  );
}

/** VS Code has another name for it. */
const SESSION = /"session(?:_id|Id)"\s*:\s*"([^"\\]{1,200})"/;

/** Where it stands before any other object, as agents write it, without parsing: that is the host's, and tells what is wrong. */
export function readSession(input: string): string {
  const found = SESSION.exec(input);
  if (found === null) return '';
  const [, session = ''] = found;
  return OUTERMOST.test(input.slice(0, found.index)) ? session : parseSession(input);
}

/** What the model writes into the arguments of a call must not say whose session it is. */
const OUTERMOST = /^\s*\{[^{[]*$/;

function parseSession(input: string): string {
  try {
    const payload: unknown = JSON.parse(input);
    const { session_id: own, sessionId: other } = isRecord(payload) ? payload : {};
    return [own, other].find((one) => typeof one === 'string') ?? '';
  } catch {
    return '';
  }
}
