import type { AnyHook } from '@spec/hooks';
import { rulesOf } from './create-rules.ts';
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
 * Makes hooks of the field `rules` of skills: `skillLoader({ folder, hooksOf: skillRules() })`. They run from the skill's start to the
 * end of its session (rules and scripts, "Hook Persistence").
 *
 * @throws {DefinitionError} as `createRules` does, when the skill is loaded
 */
export function skillRules(options: RuleOptions = {}): (skill: SkillFields) => Promise<readonly AnyHook[]> {
  return async ({ name, fields: { rules } }) => {
    if (rules === undefined) return [];
    const given = (Array.isArray(rules) ? rules : [rules]) as RuleInput[];
    const written = rulesInCode(given, `SKILL.md of the skill "${name}"`);
    const made = await rulesOf([written], { ...options, name: `skill_${name.replaceAll('-', '_')}` });
    return made.hooks;
  };
}
