// Walls: decides which requests are answered at all, and holds the keys. The server calls it before anything else; it reads no data.

import type { IncomingMessage } from 'node:http';

// W1 A page of another site that was bound to this address sends neither `Origin` nor `Sec-Fetch-Site`: only `Host` tells it, and the token.
// W2 Every request goes through here, those for files and for routes that do not exist too.

/** Why a request is not answered. */
export type Refusal = 400 | 403 | 405;

export type Knock = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;

const localHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** Says why a request is not answered; `undefined`: it may go on. */
export function judgeRequest({ method, url = '', headers, rawHeaders }: Knock): Refusal | undefined {
  const { host = '', origin } = headers;
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length !== 1 || !localHost.test(host)) return 403;
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) return 403;
  if (!isOfOwnPage(headers) && (isOfApi(url) || !isOpenedByPerson(headers))) return 403;
  if (method !== 'GET' && method !== 'POST') return 405;
  return url.startsWith('/') ? undefined : 400;
}

/** Old browsers and programs do not say where a request comes from: it has the token to show. */
function isOfOwnPage({ 'sec-fetch-site': site }: Knock['headers']): boolean {
  return site === undefined || site === 'same-origin';
}

/** By typing, or by a link in a file or a mail: into a tab of its own, with no data in it before there is a token. */
function isOpenedByPerson(headers: Knock['headers']): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': target } = headers;
  return site === 'none' || (mode === 'navigate' && target === 'document');
}

/** Whether a path is one of data, and no file of the page. It is judged as the routes read it; what they could not read counts as one. */
export function isOfApi(url: string): boolean {
  const given = `http://host${url}`;
  if (!URL.canParse(given)) return true;
  const path = readEscapes(new URL(given).pathname);
  return path === undefined || /^[/\\]*api(?:[/\\?#]|$)/i.test(path);
}

function readEscapes(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
