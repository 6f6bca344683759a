import { type ChainMember, type PausableClock, type Scope, type SessionInfo, scopeOf } from '@spec/hooks';
import type { PermissionMode } from './permission-mode.ts';

/** What runs a child thread: the tool call of its parent. */
export interface Caller {
  readonly session: ThreadSession;
  /** The clocks of the hooks that wait for the child. */
  readonly clock: PausableClock;
}

const NONE: readonly never[] = Object.freeze([]);

/**
 * What lasts as long as a thread is open (design §7.1).
 *
 * S1 A session begins once and ends once, whoever ends it. A crash ends it without a word.
 * S2 Contexts wait here until the model is asked next. Nothing is stored for a session in which nothing is said.
 * S3 Skills and the permission mode hold for subagents too: there is no way around them through a child thread.
 */
export class ThreadSession {
  /** Absent where the thread was only looked at, as a child or a parent of another one. */
  info: SessionInfo | undefined;
  /** Settles when its start has been told. */
  starting: Promise<void> | undefined;
  caller: Caller | undefined;
  /** The thread's own mode. */
  ownMode: PermissionMode | undefined;
  /** That of the nearest thread above it in the store. */
  inheritedMode: PermissionMode | undefined;
  /** Made when first needed, as the rest: an idle thread is small. */
  #skills: Map<string, Promise<string>> | undefined;
  #contexts: readonly string[] = NONE;
  #members: readonly ChainMember[] = NONE;
  #merged: { base: Scope; members: readonly ChainMember[]; scope: Scope } | undefined;

  /** Whether it has begun and is over, though the thread may still be on its way to be closed. */
  get isOver(): boolean {
    return this.starting !== undefined && this.info === undefined;
  }

  get mode(): PermissionMode {
    return this.ownMode ?? this.caller?.session.mode ?? this.inheritedMode ?? 'default';
  }

  /** Texts that wait for the model. */
  get contexts(): readonly string[] {
    return this.#contexts;
  }

  addContexts(contexts: readonly string[]): void {
    if (contexts.length > 0) this.#contexts = [...this.#contexts, ...contexts];
  }

  /** They are on their way to the model. */
  dropContexts(told: readonly string[]): void {
    if (told.length > 0) this.#contexts = this.#contexts.filter((context) => !told.includes(context));
  }

  /** Starts a skill; the same path twice is once. One that could not be started may be tried again. */
  startSkill(path: string, start: () => Promise<string>): Promise<string> {
    this.#skills ??= new Map();
    const skills = this.#skills;
    const started = skills.get(path);
    if (started !== undefined) return started;
    const starting = start();
    skills.set(path, starting);
    starting.catch(() => skills.delete(path));
    return starting;
  }

  /** The paths of the skills, in the order in which they were started. */
  get skills(): readonly string[] {
    return this.#skills === undefined ? NONE : [...this.#skills.keys()];
  }

  addMembers(members: readonly ChainMember[]): void {
    this.#members = [...this.#members, ...members];
  }

  /** The hooks of this thread's skills, and of those that called it. */
  get members(): readonly ChainMember[] {
    const around = this.caller?.session.members ?? NONE;
    return around.length === 0 ? this.#members : [...around, ...this.#members];
  }

  /** The chains of a thread with the hooks of its skills. Without skills it is the same scope (C11). */
  scope(base: Scope): Scope {
    if (this.#members === NONE && this.caller === undefined) return base;
    const { members } = this;
    if (members.length === 0) return base;
    const known = this.#merged;
    if (known?.base === base && isSame(known.members, members)) return known.scope;
    const scope = withSkills(base, members);
    this.#merged = { base, members, scope };
    return scope;
  }

  /** Forgets everything: nothing of a session is left after it. */
  end(): void {
    this.#skills = undefined;
    this.#contexts = NONE;
    this.#members = NONE;
    this.#merged = undefined;
  }
}

function isSame(one: readonly ChainMember[], other: readonly ChainMember[]): boolean {
  return one.length === other.length && one.every((member, i) => member === other[i]);
}

/**
 * Hooks of skills run after the policies, whose guards and redactions come before everything, and before the scoped hooks:
 * these were written for the prompt, and have the last word about what it gets. Among themselves they are ordered by
 * priority, equal ones as they were started.
 */
function withSkills(base: Scope, members: readonly ChainMember[]): Scope {
  const merged: Record<string, readonly ChainMember[]> = { ...base };
  for (const [hook, added] of Object.entries(scopeOf(members))) {
    const chain = merged[hook] ?? [];
    const firstScoped = chain.findIndex(({ source }) => !isPolicy(source));
    const position = firstScoped < 0 ? chain.length : firstScoped;
    merged[hook] = [...chain.slice(0, position), ...(added ?? []), ...chain.slice(position)];
  }
  return Object.freeze(merged) as Scope;
}

function isPolicy(source: string): boolean {
  return source === 'policy' || source.startsWith('policy ');
}
