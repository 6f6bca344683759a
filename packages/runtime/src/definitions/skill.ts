import type { AnyHook } from '@spec/hooks';

/** Knowledge and hooks that a thread takes on while it runs. */
export interface Skill {
  readonly name: string;
  /** Instructions that the model is told once. May be empty. */
  readonly instructions: string;
  /** Hooks that run on the thread and its subagents until the session ends. Rules count as hooks here. */
  readonly hooks: readonly AnyHook[];
}

/** Finds a skill by what `thread.startSkill` was given; `skillLoader` of `@spec/runtime/skills` reads a folder. */
export type SkillLoader = (path: string) => Promise<Skill> | Skill;

/** The key of the thread's value that keeps the paths of its skills: a turn that a crash left behind goes on with them. */
export const SKILLS_KEY = 'runtime/skills';
