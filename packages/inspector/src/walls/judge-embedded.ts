import { isOfApi, type Refusal } from './judge-request.ts';

/** Says why a request inside of another server is not answered. Who may see the page the login of that server decides, and no other page gets through with it. */
export function judgeEmbedded({ method, headers, url }: Request, path: string): Refusal | undefined {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  // A proxy may have given the request another host: what the browser says of the page counts before a comparison of names.
  const isOwn =
    site === null ? origin === null || readHost(origin) === readTarget(headers, url) : site === 'same-origin';
  if (!isOwn && (site === null || isOfApi(path) || !isOpened(headers))) return 403;
  // A form of an old browser says nothing of where it comes from; the page always does.
  if (method === 'POST' && site === null && origin === null) return 403;
  return method === 'GET' || method === 'POST' ? undefined : 405;
}

/** The host that was asked; what is made of a `Request` alone has it in the address. */
function readTarget(headers: Headers, url: string): string {
  return headers.get('host') ?? new URL(url).host;
}

function isOpened(headers: Headers): boolean {
  return headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';
}

function readHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
