import type { AnyHook } from '@spec/hooks';

/** Knowledge and hooks that a thread takes on while it runs. */
export interface Skill {
  readonly name: string;
  /** What the model is told, once. Empty: nothing. */
  readonly instructions: string;
  /** They run on the thread and its subagents until its session ends. Rules are hooks here too. */
  readonly hooks: readonly AnyHook[];
}

/** Finds a skill by what `thread.startSkill` was given; `skillLoader` of `@spec/runtime/skills` reads a folder. */
export type SkillLoader = (path: string) => Promise<Skill> | Skill;
