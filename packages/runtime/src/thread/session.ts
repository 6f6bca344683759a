import { type ChainMember, type PausableClock, type Scope, type SessionInfo, scopeOf } from '@spec/hooks';
import type { PermissionMode } from '../definitions/permission-mode.ts';
import type { Skill } from '../definitions/skill.ts';

/** What runs a child thread: the tool call of its parent. */
export interface Caller {
  /** The clocks of the hooks that wait for the child. */
  readonly clock: PausableClock;
  /** @throws {RunError} `thread_busy` if another process took the thread of the call or one above it */
  refuseTaken(): Promise<void> | undefined;
}

/** A thread above another one. */
export interface Ancestor {
  readonly id: string;
  /** Its own mode, as the store had it when it was last read; where the thread is open, its session tells. */
  mode: PermissionMode | undefined;
}

/** The session of a thread that is open. */
type FindSession = (threadId: string) => ThreadSession | undefined;

/** A skill that holds. */
export interface HeldSkill {
  readonly path: string;
  readonly skill: Skill;
  readonly members: readonly ChainMember[];
}

const findsNone: FindSession = () => undefined;

const NONE: readonly never[] = Object.freeze([]);

/**
 * What lasts as long as a thread is open (design §7.1).
 *
 * S1 A session starts once and ends once, whoever ends it. A crash ends it without running its hooks.
 * S2 Contexts wait here until the model is asked next. Nothing is stored for a session in which nothing is said.
 * S3 Skills and the permission mode also hold for subagents, so nobody can bypass them through a
 *    child thread. They are looked up when they are asked for, so that they hold at once.
 */
export class ThreadSession {
  /** Absent if the thread was only read, as a child or parent of another. */
  info: SessionInfo | undefined;
  /** Settles when its start has been announced. */
  starting: Promise<void> | undefined;
  caller: Caller | undefined;
  /** The thread's own mode. */
  ownMode: PermissionMode | undefined;
  /** The threads above it, the nearest first. */
  ancestors: readonly Ancestor[] = NONE;
  /** Whether the store keeps skills of it. */
  keepsSkills = false;
  readonly #find: FindSession;
  /** Made when first needed, as the rest: an idle thread is small. */
  #starting: Map<string, Promise<string>> | undefined;
  #skills: readonly HeldSkill[] = NONE;
  #contexts: readonly string[] = NONE;
  #members: readonly ChainMember[] = NONE;
  #merged: { base: Scope; members: readonly ChainMember[]; scope: Scope } | undefined;

  constructor(find: FindSession = findsNone) {
    this.#find = find;
  }

  /** Whether it has begun and is over, though the thread may still be on its way to be closed. */
  get isOver(): boolean {
    return this.starting !== undefined && this.info === undefined;
  }

  get mode(): PermissionMode {
    if (this.ownMode !== undefined) return this.ownMode;
    for (const { id, mode } of this.ancestors) {
      const open = this.#find(id);
      const own = open === undefined ? mode : open.ownMode;
      if (own !== undefined) return own;
    }
    return 'default';
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

  /** Starts a skill. Idempotent for a path, but a skill that failed to start may be tried again. */
  startSkill(path: string, start: () => Promise<string>): Promise<string> {
    this.#starting ??= new Map();
    const all = this.#starting;
    const started = all.get(path);
    if (started !== undefined) return started;
    const starting = start();
    all.set(path, starting);
    starting.catch(() => all.delete(path));
    return starting;
  }

  /** The skills that hold, in the order in which they were started. */
  get skills(): readonly HeldSkill[] {
    return this.#skills;
  }

  /** Has a skill hold from now on. */
  hold(skill: HeldSkill): void {
    this.#holdOnly([...this.#skills, skill]);
  }

  /** A skill holds no longer. */
  release(skill: HeldSkill): void {
    this.#holdOnly(this.#skills.filter((other) => other !== skill));
  }

  #holdOnly(skills: readonly HeldSkill[]): void {
    this.#skills = skills;
    this.#members = skills.flatMap(({ members }) => members);
  }

  /** The hooks of this thread's own skills. */
  get ownMembers(): readonly ChainMember[] {
    return this.#members;
  }

  /** The hooks of this thread's skills, after those of the threads above it. */
  get members(): readonly ChainMember[] {
    let members = this.#members;
    for (const { id } of this.ancestors) {
      const above = this.#find(id)?.ownMembers ?? NONE;
      if (above.length > 0) members = [...above.filter((member) => !isAmong(members, member)), ...members];
    }
    return members;
  }

  /** The chains of a thread with the hooks of its skills. Without skills it is the same scope (C11). */
  scope(base: Scope): Scope {
    if (this.#members.length === 0 && this.ancestors.length === 0) return base;
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
    this.#starting = undefined;
    this.#skills = NONE;
    this.keepsSkills = false;
    this.#contexts = NONE;
    this.#members = NONE;
    this.#merged = undefined;
  }
}

/** A child that was opened before its parent has the parent's skills itself. */
function isAmong(members: readonly ChainMember[], { hook }: ChainMember): boolean {
  return members.some((member) => member.hook.id === hook.id);
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
