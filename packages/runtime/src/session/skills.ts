import { createRegistry, DefinitionError, isHook, RunError } from '@spec/hooks';
import { SKILLS_KEY, type Skill } from '../definitions/skill.ts';
import { checkName } from '../given.ts';
import { areTexts, readKept } from '../stores/kept-value.ts';
import type { Store } from '../stores/store.ts';
import type { ThreadCore } from '../thread/core.ts';
import type { HeldSkill } from '../thread/session.ts';
import { commit } from '../writes/commit.ts';

/**
 * Starts a skill for the rest of the session (design §7.1). Started twice, it is started once.
 *
 * @returns its name
 * @throws {DefinitionError} `bad_option` without a loader, `bad_definition` for what is no skill, `duplicate_id` where a hook
 * of it has the id of another; and whatever the loader throws
 * @throws {RunError} `closed`, `thread_busy`
 */
export function startSkill(core: ThreadCore, path: string): Promise<string> {
  const { session } = core;
  checkName('path of a skill', path);
  return session.startSkill(makeKey(path), async () => {
    const skill = await loadSkill(core, path);
    if (isHeld(core, skill)) return skill.name;
    const held = takeOn(core, path, skill);
    try {
      await keepSkills(core, listPaths(core));
    } catch (error) {
      session.release(held);
      session.dropContexts([skill.instructions]);
      throw error;
    }
    session.keepsSkills = true;
    return skill.name;
  });
}

/**
 * Starts the skills again that a thread had when its process died; also those of the threads above it that nobody has
 * opened since, for it goes on without them.
 *
 * @throws {DefinitionError} `bad_option` where one of them cannot be started
 */
export async function restoreSkills(core: ThreadCore): Promise<void> {
  const { store, session, runtime, id } = core;
  const own = await keptPaths(store, id);
  session.keepsSkills = own.length > 0;
  const above = session.ancestors.filter((other) => runtime.find(other.id)?.session.info === undefined);
  for (const ancestor of above.toReversed()) {
    const isLeftBehind = (await store.getThread(ancestor.id))?.turn !== null;
    if (isLeftBehind) await restoreEach(core, await keptPaths(store, ancestor.id));
  }
  await restoreEach(core, own);
}

async function keptPaths(store: Store, threadId: string): Promise<string[]> {
  return (await readKept(store, { threadId, key: SKILLS_KEY }, areTexts)) ?? [];
}

async function restoreEach(core: ThreadCore, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await core.session.startSkill(makeKey(path), () =>
      restoreOne(core, path).catch((error) => refuseRestoring(core, path, error)),
    );
}

async function restoreOne(core: ThreadCore, path: string): Promise<string> {
  const skill = await loadSkill(core, path);
  if (!isHeld(core, skill)) takeOn(core, path, skill);
  return skill.name;
}

function refuseRestoring({ id }: ThreadCore, path: string, error: unknown): never {
  if (error instanceof RunError) throw error;
  const why = error instanceof DefinitionError ? ` (${error.code})` : '';
  throw new DefinitionError(
    'bad_option',
    `The skill "${path}", under which a turn of thread ${id} ran when its process died, cannot be started again${why}. ` +
      'Bring it back, or give the skills of that turn up: openThread(id, { restoreSkills: false }).',
  );
}

/** What ended well needs no skills any more; a turn that is still to be resumed does. */
export async function forgetSkills(core: ThreadCore): Promise<void> {
  if (core.session.keepsSkills && core.record.turn === null) await keepSkills(core, undefined);
}

function keepSkills(core: ThreadCore, paths: readonly string[] | undefined): Promise<void> {
  const values = [{ key: SKILLS_KEY, value: paths }];
  return commit(core.state, 'startSkill', { values });
}

function listPaths({ session }: ThreadCore): string[] {
  return session.skills.map(({ path }) => path);
}

/** The same for paths that differ only in how they are written. */
function makeKey(path: string): string {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return path.startsWith('/') ? `/${names.join('/')}` : names.join('/');
}

/** A loader may know of one skill by several paths. */
function isHeld({ session }: ThreadCore, skill: Skill): boolean {
  return session.skills.some((held) => held.skill === skill);
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
    return skill as Skill;
  throw new DefinitionError(
    'bad_definition',
    `The skill "${path}": its loader must give { name, instructions, hooks }, two texts and a list of hooks.`,
  );
}

/** Here, at once and without waiting for anything, the skill begins to hold. */
function takeOn(core: ThreadCore, path: string, skill: Skill): HeldSkill {
  const { session, runtime } = core;
  const { name, instructions, hooks } = skill;
  if (session.info === undefined) throw core.closedError();
  const { hooks: registered, policies } = runtime.catalog.registry;
  const added = hooks.filter((hook) => registered.get(hook.id) !== hook);
  const others = session.members.map(({ hook }) => hook);
  createRegistry({ hooks: [...registered.values(), ...others, ...added], policies });
  const members = added.map((hook) => ({ hook, source: `skill:${name}` }));
  const held = { path, skill, members };
  session.hold(held);
  if (instructions.trim() !== '') session.addContexts([instructions]);
  return held;
}
