import { isOfApi, type Refusal } from './judge-request.ts';

/** Says why a request inside of another server is not answered. Who may see the page the login of that server decides, and no other page gets through with it. */
export function judgeEmbedded({ method, headers }: Request, path: string): Refusal | undefined {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const isOwn = site === null || site === 'same-origin';
  if (origin !== null && readHost(origin) !== headers.get('host')) return 403;
  if (!isOwn && (isOfApi(path) || !isOpened(headers))) return 403;
  // A form of an old browser says nothing of where it comes from; the page always does.
  if (method === 'POST' && site === null && origin === null) return 403;
  return method === 'GET' || method === 'POST' ? undefined : 405;
}

function isOpened(headers: Headers): boolean {
  return headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';
}

function readHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
