import { type AnyHook, createRegistry, DefinitionError, isHook } from '@spec/hooks';
import type { ThreadCore } from './thread-core.ts';
import { append, underFence } from './writes.ts';

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

/** The key of the thread's value that keeps the paths of its skills: a turn that a crash left behind goes on with them. */
const SKILLS_KEY = 'runtime/skills';

/**
 * Starts a skill for the rest of the session (design §7.1). Started twice, it is started once.
 *
 * @returns its name
 * @throws {DefinitionError} `bad_option` without a loader, `bad_definition` for what is no skill, `duplicate_id` where a hook
 * of it has the id of another; and whatever the loader throws
 * @throws {RunError} `closed`, `thread_busy`
 */
export function startSkill(core: ThreadCore, path: string): Promise<string> {
  return core.session.startSkill(path, async () => {
    const skill = await loadSkill(core, path);
    await keepSkills(core, [...core.session.skills]);
    return takeOn(core, skill);
  });
}

/** Starts the skills again that a thread had when its process died. */
export async function restoreSkills(core: ThreadCore): Promise<void> {
  const kept = await core.store.getValue(core.id, SKILLS_KEY);
  if (!Array.isArray(kept)) return;
  for (const path of kept as string[])
    await core.session.startSkill(path, async () => takeOn(core, await loadSkill(core, path)));
}

/** What ended well needs no skills any more. */
export async function forgetSkills(core: ThreadCore): Promise<void> {
  if (core.session.skills.length > 0) await keepSkills(core, undefined);
}

function keepSkills(core: ThreadCore, paths: readonly string[] | undefined): Promise<void> {
  const values = [{ key: SKILLS_KEY, value: paths }];
  return underFence(core.state, 'startSkill', (fence) => append(core, fence, { values }));
}

async function loadSkill({ runtime }: ThreadCore, path: string): Promise<Skill> {
  const { skills: load } = runtime;
  if (load !== undefined) return checkSkill(path, await load(path));
  throw new DefinitionError(
    'bad_option',
    'This runtime has no skills: give createRuntime the option skills, such as skillLoader({ folder }) of @spec/runtime/skills.',
  );
}

function checkSkill(path: string, skill: unknown): Skill {
  const { name, instructions, hooks } = (skill ?? {}) as Partial<Skill>;
  if (
    typeof name === 'string' &&
    typeof instructions === 'string' &&
    Array.isArray(hooks) &&
    hooks.every(isHook)
  )
    return { name, instructions, hooks };
  throw new DefinitionError(
    'bad_definition',
    `The skill "${path}": its loader must give { name, instructions, hooks }, two texts and a list of hooks.`,
  );
}

/** Here, at once and without waiting for anything, the skill begins to hold. */
function takeOn(core: ThreadCore, { name, instructions, hooks }: Skill): string {
  const { session, runtime } = core;
  if (session.info === undefined) throw core.closedError();
  const { hooks: registered, policies } = runtime.catalog.registry;
  const added = hooks.filter((hook) => registered.get(hook.id) !== hook);
  const others = session.members.map(({ hook }) => hook);
  createRegistry({ hooks: [...registered.values(), ...others, ...added], policies });
  session.addMembers(added.map((hook) => ({ hook, source: `skill:${name}` })));
  if (instructions.trim() !== '') session.addContexts([instructions]);
  return name;
}
