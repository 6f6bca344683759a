import type { AnyHook } from '@spec/hooks';
import { type CreateRulesOptions, createRules } from './create-rules.ts';
import type { RuleInput } from './rule.ts';

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
 * @throws {DefinitionError} as {@link createRules} does, when the skill is loaded
 */
export function skillRules(
  options: Omit<CreateRulesOptions, 'name'> = {},
): (skill: SkillFields) => Promise<readonly AnyHook[]> {
  return async ({ name, fields: { rules } }) => {
    if (rules === undefined) return [];
    const given = (Array.isArray(rules) ? rules : [rules]) as RuleInput[];
    const made = await createRules(given, { ...options, name: `skill_${name.replaceAll('-', '_')}` });
    return made.hooks;
  };
}
