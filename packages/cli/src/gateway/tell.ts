import type { GatewayEvent } from '@spec/gateway';
import { printable } from '../printable.ts';

/** Tells on standard error what happens: a client keeps that in its log. Holds nothing of calls and results. */
export function tellEvent(event: GatewayEvent): void {
  const text = describeEvent(event);
  if (text !== undefined) process.stderr.write(`spec-hooks: ${printable(text)}\n`);
}

function describeEvent(event: GatewayEvent): string | undefined {
  switch (event.kind) {
    case 'server_started':
      return undefined;
    case 'server_failed':
      return event.why;
    case 'held_back':
      return `${event.server}: held back until a person has looked with "spec-hooks trust": ${event.keys.join(', ')}.${listShown(event.shown)}`;
    case 'renamed':
      return event.to === null
        ? `${event.server}: the ${event.what} ${event.from} is left out, since another server has it, too.`
        : `${event.server}: the ${event.what} ${event.from} is called ${event.to}, since another server has one of this name.`;
    case 'flood':
      return `${event.server}: it sends more notifications than are passed on.`;
  }
}

function listShown(shown: readonly string[]): string {
  return shown.map((text) => `\n  hidden characters: ${text.slice(0, 500)}`).join('');
}
