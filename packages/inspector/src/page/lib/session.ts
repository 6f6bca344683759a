// Library: what views need of the browser: the session, answers, the stream, keys of the keyboard, texts. It draws nothing.

import { signal } from '@preact/signals';

/** Whether there is a token. `used`: the link was exchanged before; `closed`: there was no link. */
export const session = signal<'joining' | 'open' | 'used' | 'closed'>('joining');

/** What the server says of itself: where the page stands, and whether the application has a login of its own. */
const { base: place = '', login } = document.documentElement.dataset;

/** Where the page stands: a path without a slash at its end, empty at the top. */
export const base: string = place;

const stored = 'spec-hooks-token';
/** Tabs of this page, and nobody else: a channel does not leave its origin. */
const tabs = new BroadcastChannel('spec-hooks-tabs');
const patienceMs = 400;
let token = '';

/** Gets the token: by the key in the address, of this tab, or of another tab; and again by a link that is opened in this tab. */
export function openSession(): void {
  if (login === 'application') {
    session.value = 'open';
    return;
  }
  addEventListener('hashchange', () => void joinSession());
  void joinSession();
}

async function joinSession(): Promise<void> {
  tabs.onmessage = ({ data }: MessageEvent<{ wants?: true; token?: string }>) => {
    if (data.wants && token !== '') tabs.postMessage({ token });
    if (data.token && session.value !== 'open') keepToken(data.token);
  };
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key !== null) {
    history.replaceState(null, '', location.pathname + location.search);
    if (await exchangeKey(key)) return;
  }
  const kept = sessionStorage.getItem(stored);
  if (kept !== null) return keepToken(kept);
  tabs.postMessage({ wants: true });
  setTimeout(() => {
    if (session.value === 'joining') session.value = key === null ? 'closed' : 'used';
  }, patienceMs);
}

async function exchangeKey(key: string): Promise<boolean> {
  const answer = await fetch(`${base}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  if (!answer.ok) return false;
  keepToken(((await answer.json()) as { token: string }).token);
  return true;
}

function keepToken(given: string): void {
  token = given;
  sessionStorage.setItem(stored, given);
  session.value = 'open';
}

/** The server does not know the token: it was started anew. */
export function loseSession(): void {
  token = '';
  sessionStorage.removeItem(stored);
  session.value = 'closed';
}

/** Asks the server, with the token. */
export function fetchWithToken(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token !== '') headers.set('authorization', `Bearer ${token}`);
  return fetch(base + path, { ...init, headers });
}
