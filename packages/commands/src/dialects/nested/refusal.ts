import type { ZodError } from 'zod';
import type { EntryAnswer } from '../../normal-form.ts';

/** What an entry forbids, without what it allows or rewrites. Nothing else counts of an untrusted answer. */
export function refusalIn({ decision, reason, userMessage, endsTurn, keepsGoing }: EntryAnswer): EntryAnswer {
  const forbids = decision === 'deny' || decision === 'ask';
  if (!forbids && !endsTurn && !keepsGoing) return {};
  return {
    ...(forbids ? { decision } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(userMessage === undefined ? {} : { userMessage }),
    ...(endsTurn ? { endsTurn } : {}),
    ...(keepsGoing ? { keepsGoing } : {}),
  };
}

/** An unreadable answer that may have been a refusal. */
export const UNREADABLE = 'The answer of a hook could not be read, and may have been a refusal.';

/** A copy of an answer without the fields that do not fit: what it quotes may be of any sort. */
export function withoutMisfits(value: unknown, { issues }: ZodError): unknown {
  const copy = structuredClone(value);
  for (const { path } of issues) {
    const field = path.at(-1);
    const holder = path.slice(0, -1).reduce<unknown>((at, key) => inside(at, key), copy);
    if (isObject(holder) && field !== undefined) Reflect.deleteProperty(holder, field);
  }
  return copy;
}

function inside(value: unknown, key: PropertyKey): unknown {
  return isObject(value) ? (value as Record<PropertyKey, unknown>)[key] : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
