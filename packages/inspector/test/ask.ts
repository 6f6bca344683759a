import { once } from 'node:events';
import { connect } from 'node:net';

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Headers in the order in which they are sent; several may have one name. */
export type RawHeaders = readonly (readonly [name: string, value: string])[];

/** Sends a request as it is written: a client of Node would put its own `Host` in and refuse some of these. */
export async function askRaw(
  port: number,
  line: string,
  { headers = [], body = '' }: { headers?: RawHeaders; body?: string } = {},
): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const more: RawHeaders = [
    ...headers,
    ['Connection', 'close'],
    ...(body === '' ? [] : [['Content-Length', String(Buffer.byteLength(body))] as const]),
  ];
  socket.write(
    `${line} HTTP/1.1\r\n${more.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
  let text = '';
  // A stream has no end: its head is enough.
  for await (const chunk of socket.setEncoding('utf8')) {
    text += chunk;
    if (/^content-type: text\/event-stream/im.test(text)) break;
  }
  socket.destroy();
  return parse(text);
}

function parse(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
  });
  return { status: Number(status.split(' ')[1]), headers: new Map(headers), body: rest.join('\r\n\r\n') };
}
