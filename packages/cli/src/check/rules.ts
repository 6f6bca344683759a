import { actionOf, type Rule } from '@spec/rules';
import type { Project } from '../project/load-project.ts';
import { type CheckFinding, finding, readPosition } from './finding.ts';
import { nameTest } from './name-test.ts';

/** Rules behind a rule of the same event that denies everything they are for. */
export function ruleFindings({ rules }: Project): CheckFinding[] {
  const ordered = (rules?.rules ?? []).toSorted((a, b) => b.priority - a.priority);
  return ordered.flatMap((rule, position) => {
    const denies = ordered
      .slice(0, position)
      .find((before) => actionOf(before).isFinal && covers(before, rule));
    return denies === undefined ? [] : [unreachable(rule, denies)];
  });
}

function unreachable(rule: Rule, denies: Rule): CheckFinding {
  const where = denies.position === undefined ? '' : ` (${denies.position})`;
  const message = `This rule is never reached: "${denies.id}"${where} denies everything it is for, and comes first. Give this one a priority above ${denies.priority}, or narrow the other.`;
  return finding({
    level: 'warning',
    code: 'unreachable_rule',
    ...readPosition(rule.position),
    entry: rule.id,
    message,
  });
}

function covers(one: Rule, other: Rule): boolean {
  if (one.event !== other.event) return false;
  const names = one.matcher === undefined || EVERYTHING.test(one.matcher) || coversNames(one.matcher, other);
  const inputs = one.inputMatchers === undefined || sameInputs(one, other);
  return names && inputs;
}

/** The same names, or one of those that the other spells out. */
function coversNames(one: string, { matcher: other }: Rule): boolean {
  if (one === other) return true;
  const names = SPELT_OUT.exec(other ?? '')
    ?.slice(1)
    .find((part) => part !== undefined)
    ?.split('|');
  return names?.every(nameTest(`/${one}/`)) === true;
}

/** `^Bash$`, `^(Read|Write)$` */
const SPELT_OUT = /^\^(?:([\w-]+)|\((?:\?:)?([\w-]+(?:\|[\w-]+)*)\))\$$/;

/** Regular expressions that fit every name. */
const EVERYTHING = /^(?:\^?(?:\.\*|\.\+|\(\.\*\))\$?|\^|\.)$/;

function sameInputs({ inputMatchers: one = {} }: Rule, { inputMatchers: other = {} }: Rule): boolean {
  return Object.entries(one).every(([field, pattern]) => other[field] === pattern);
}
