import { signal } from '@preact/signals';
import type { LiveEvent } from '../../api.ts';
import { paceMoved } from './pace.ts';
import { fetchWithToken } from './session.ts';

/** Whether what is shown is what is stored. */
export const liveState = signal<'joining' | 'live' | 'lost'>('joining');
/** When the stream was lost, in milliseconds since the epoch. */
export const lostAt = signal<number | undefined>(undefined);

/** What tabs tell each other: what the stream says, when it was lost, and that a new tab wants to know. */
type TabNews =
  | LiveEvent
  | { readonly kind: 'lost'; readonly at: number }
  | { readonly kind: 'joins' }
  | { readonly kind: 'live' };

const channel = new BroadcastChannel('spec-hooks-live');
const retryMs = 1_000;
let holdsStream = false;
let missed = false;

/** Follows what is stored: one tab holds the stream, for all tabs. */
export function followStore(): void {
  channel.onmessage = ({ data }: MessageEvent<TabNews>) => take(data);
  channel.postMessage({ kind: 'joins' } satisfies TabNews);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || !missed) return;
    missed = false;
    paceMoved();
  });
  void navigator.locks.request('spec-hooks-live', async () => {
    holdsStream = true;
    for (;;) {
      await readStream().catch(() => {});
      tellAll({ kind: 'lost', at: lostAt.value ?? Date.now() });
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  });
}

async function readStream(): Promise<void> {
  const response = await fetchWithToken('/api/live');
  if (!response.ok || response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (text + value).split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts.filter((one) => one.startsWith('data: ')))
      tellAll(JSON.parse(part.slice('data: '.length)) as LiveEvent);
  }
}

function tellAll(news: TabNews): void {
  channel.postMessage(news);
  take(news);
}

function take(news: TabNews): void {
  if (news.kind === 'joins') tellState();
  else if (news.kind === 'lost') {
    liveState.value = 'lost';
    lostAt.value = news.at;
  } else takeLive(news.kind);
}

function takeLive(kind: 'ready' | 'moved' | 'live'): void {
  // Nobody told what was stored between two streams.
  const mayHaveMoved = kind === 'moved' || (kind === 'ready' && liveState.value !== 'joining');
  liveState.value = 'live';
  lostAt.value = undefined;
  if (!mayHaveMoved) return;
  if (document.hidden) missed = true;
  else paceMoved();
}

/** To a new tab, by the one that knows. */
function tellState(): void {
  if (!holdsStream || liveState.value === 'joining') return;
  const news: TabNews =
    liveState.value === 'live' ? { kind: 'live' } : { kind: 'lost', at: lostAt.value ?? Date.now() };
  channel.postMessage(news);
}
