import { signal } from '@preact/signals';
import { base } from './session.ts';

/** Whether the list of keys is shown. */
export const isHelpOpen = signal(false);

/** All keys, as the list shows them. */
export const keyRows: readonly (readonly [keys: string, what: string])[] = [
  ['j  k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['Esc', 'back'],
  ['/', 'search'],
  ['g t', 'threads'],
  ['g l', 'log'],
  ['g h', 'hooks'],
  ['g s', 'search'],
  ['y', 'copy the link of what is shown'],
  ['?', 'these keys'],
];

const places: Readonly<Record<string, string>> = { t: '/', l: '/log', h: '/hooks', s: '/search' };
let isGoing = false;

/** Listens to keys for the whole page. */
export function listenToKeys(go: (path: string) => void): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') leave(event, go);
    if (isTyping(event.target)) return;
    const place = isGoing ? places[event.key] : undefined;
    isGoing = !isGoing && event.key === 'g';
    const act = place === undefined ? actions[event.key] : () => go(base + place);
    if (act === undefined) return;
    event.preventDefault();
    act(go);
  });
}

const actions: Readonly<Record<string, (go: (path: string) => void) => void>> = {
  j: () => moveFocus(1),
  k: () => moveFocus(-1),
  '/': (go) => go(`${base}/search`),
  '?': () => {
    isHelpOpen.value = true;
  },
  y: () => void navigator.clipboard?.writeText(location.href),
};

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea');
}

/** Rows are links with `data-row`, in the order in which they stand in the main pane. */
function moveFocus(by: number): void {
  const pane = document.querySelector('[data-pane="main"]') ?? document;
  const rows = [...pane.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Esc leaves a field first, then a detail, then the view. */
function leave(event: KeyboardEvent, go: (path: string) => void): void {
  if (document.querySelector('dialog[open]') !== null) return;
  if (isTyping(event.target)) {
    (event.target as HTMLElement).blur();
    return;
  }
  const above = document.querySelector<HTMLAnchorElement>('a[data-up]')?.getAttribute('href');
  if (above) go(above);
}
