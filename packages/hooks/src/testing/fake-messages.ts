import { RunError } from '../errors.ts';
import type { Clock } from '../executor/clock.ts';
import { checkMessage } from '../shapes/checks.ts';
import type { HookMessage } from '../vocabulary/messages.ts';
import type { MessageRange, NewMessage } from '../vocabulary/state.ts';
import { type FixtureMessage, fixtureEpoch, nextId } from './fixtures.ts';

/** The messages of one thread, in order. Everything that goes in or comes out is a copy. */
export interface FakeMessages {
  list(range?: MessageRange): FixtureMessage[];
  get(id: string): FixtureMessage | null;
  /** The draft with the id and the time that it will be stored with. */
  complete(draft: NewMessage | HookMessage): FixtureMessage;
  /** Stores a message, or finds the one that has its id already. @throws {RunError} `invalid_message` */
  append(draft: NewMessage | HookMessage): FixtureMessage;
  /** Replaces the fields given. @throws {RunError} `not_found`, `invalid_message` */
  update(id: string, updates: Record<string, unknown>): FixtureMessage;
  remove(id: string): boolean;
}

interface FakeMessagesOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly depth: () => number;
}

/** Messages in memory; times are later than every time before, in microseconds. */
export function fakeMessages({ clock, depth }: FakeMessagesOptions): FakeMessages {
  let stored: FixtureMessage[] = [];
  let lastTime = 0;

  function time(): number {
    lastTime = Math.max(lastTime + 1, fixtureEpoch + Math.round(clock.now() * 1_000));
    return lastTime;
  }

  function get(id: string): FixtureMessage | null {
    const found = stored.find((message) => message.id === id);
    return found === undefined ? null : structuredClone(found);
  }

  function complete(draft: NewMessage | HookMessage): FixtureMessage {
    const id = draft.id ?? nextId('message');
    const created_at = typeof draft.created_at === 'number' ? draft.created_at : time();
    lastTime = Math.max(lastTime, created_at);
    return { ...(depth() > 0 ? { depth: depth() } : {}), ...draft, id, created_at } as FixtureMessage;
  }

  return {
    get,
    complete,
    list({ last } = {}) {
      return structuredClone(last === undefined ? stored : stored.slice(Math.max(0, stored.length - last)));
    },
    append(draft) {
      const existing = draft.id === undefined ? null : get(draft.id);
      if (existing !== null) return existing;
      const message = fit(complete(draft));
      stored.push(message);
      return structuredClone(message);
    },
    update(id, updates) {
      const old = get(id);
      if (old === null) throw new RunError('not_found', `The thread has no message ${id}.`);
      if (updates.id !== undefined && updates.id !== id)
        throw new RunError('invalid_message', `The id of message ${id} cannot be changed.`);
      const message = fit({ ...old, ...updates, id });
      stored = stored.map((other) => (other.id === id ? message : other));
      return structuredClone(message);
    },
    remove(id) {
      const before = stored.length;
      stored = stored.filter((message) => message.id !== id);
      return stored.length < before;
    },
  };
}

/** A checked copy, without the fields that are `undefined`. */
function fit(message: FixtureMessage): FixtureMessage {
  const broken = checkMessage(message);
  if (broken !== undefined)
    throw new RunError('invalid_message', `Message ${String(message.id)} cannot be stored: ${broken}.`);
  return structuredClone(
    Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined)) as FixtureMessage,
  );
}
