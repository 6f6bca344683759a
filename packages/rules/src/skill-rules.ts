import { type AnyHook, checkOptionNames, DefinitionError, isRecord } from '@spec/hooks';
import type { WrittenRules } from './check-rules.ts';
import { makeRules } from './create-rules.ts';
import { rulesInCode } from './load-rules.ts';
import type { RuleInput } from './rule.ts';
import type { RuleOptions } from './rule-hooks.ts';

/** A skill's file, as a loader of skills reads it. */
interface SkillFields {
  readonly name: string;
  /** The fields between the lines `---` of its Markdown file. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Makes hooks of the fields `rules` and `hooks` of skills: `skillLoader({ folder, hooksOf: skillRules() })`. They run from the skill's
 * start to the end of its session (rules and scripts, "Hook Persistence"). `hooks` holds rules by their event,
 * `{ PreToolUse: [{ matcher, action }] }`; one that runs a command is refused.
 *
 * @throws {DefinitionError} as `createRules` does, when the skill is loaded
 */
export function skillRules(options: RuleOptions = {}): (skill: SkillFields) => Promise<readonly AnyHook[]> {
  checkOptionNames('skillRules', options, { deadline: true, onLog: true });
  return async ({ name, fields: { rules, hooks } }) => {
    const owner = `SKILL.md of the skill "${name}"`;
    const written = [
      ...(rules === undefined ? [] : [rulesInCode([rules].flat() as RuleInput[], owner)]),
      ...(hooks === undefined ? [] : [rulesByEvent(hooks, owner)]),
    ];
    if (written.length === 0) return [];
    const made = await makeRules(written, { ...options, name: `skill_${name.replaceAll('-', '_')}` });
    return made.hooks;
  };
}

/** Rules by their events. @throws {DefinitionError} `bad_definition` */
function rulesByEvent(hooks: unknown, owner: string): WrittenRules {
  const lists = isRecord(hooks) ? Object.entries(hooks) : [];
  const isBad = !isRecord(hooks) || lists.some(([, list]) => !Array.isArray(list));
  if (isBad) throw bad(`${owner}, hooks`, 'must hold a list of rules for each event');
  const entries = lists.flatMap(([event, list]) =>
    (list as unknown[]).map((entry, i) => ({ event, entry, place: `${owner}, hooks.${event}[${i}]` })),
  );
  const command = entries.find(({ entry }) => isRecord(entry) && !Object.hasOwn(entry, 'action'));
  if (command !== undefined)
    throw bad(
      command.place,
      'has no "action". Hooks of a skill are rules: put a command into a settings file',
    );
  return {
    name: 'hook',
    isFile: true,
    rules: entries.map(({ event, entry }) => (isRecord(entry) ? { ...entry, event } : entry)),
    locateRule: (index) => entries[index]?.place ?? owner,
  };
}

function bad(place: string, what: string): DefinitionError {
  return new DefinitionError('bad_definition', `${place} ${what}.`);
}
