import type { GatewayEvent } from '@spec/gateway';
import { printableLine } from '../printable.ts';

/** Tells on standard error what happens: a client keeps that in its log. Holds nothing of calls and results. */
export function tellEvent(event: GatewayEvent): void {
  const text = describeEvent(event);
  if (text !== undefined) process.stderr.write(`spec-hooks: ${text}\n`);
}

function describeEvent(event: GatewayEvent): string | undefined {
  switch (event.kind) {
    case 'server_started':
      return undefined;
    case 'server_failed':
      return printableLine(event.why);
    case 'held_back':
      return `${printableLine(event.server)}: held back until a person has looked with "spec-hooks trust": ${listKeys(event.keys)}.${listShown(event.shown)}`;
    case 'renamed':
      return printableLine(describeRenamed(event));
    case 'flood':
      return `${printableLine(event.server)}: it sends more notifications than are passed on.`;
  }
}

function describeRenamed({
  server,
  what,
  from,
  to,
}: Extract<GatewayEvent, { readonly kind: 'renamed' }>): string {
  return to === null
    ? `${server}: the ${what} ${from} is left out, since another server has it, too.`
    : `${server}: the ${what} ${from} is called ${to}, since another server has one of this name.`;
}

/** A server names its tools, as many and as long as it likes: a log is for people. */
const MAX_LISTED = 20;
const MAX_NAME = 120;

function listKeys(keys: readonly string[]): string {
  const listed = keys.slice(0, MAX_LISTED).map((key) => shorten(key, MAX_NAME));
  const left = keys.length - listed.length;
  return listed.join(', ') + (left > 0 ? ` and ${left} more` : '');
}

function listShown(shown: readonly string[]): string {
  const listed = shown.slice(0, MAX_LISTED);
  return listed.map((text) => `\n  hidden characters: ${shorten(text, 500)}`).join('');
}

function shorten(text: string, length: number): string {
  return printableLine(text.length > length ? `${text.slice(0, length)}…` : text);
}
