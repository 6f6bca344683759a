import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importModule, readRegularFile } from '@spec/hooks/node';
import { badRuleFile } from './bad-rule-file.ts';
import type { WrittenRules } from './check-rules.ts';
import { defineRule, type RuleInput } from './rule.ts';

const MODULE = /\.[cm]?[jt]s$/;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a rule file: JSON or YAML with `{ rules: [ … ] }` or a list of rules, or a module whose default export is one or the other.
 *
 * @throws {DefinitionError} `bad_definition`, naming the file, with line and column where it is no JSON or YAML; `bad_module`
 */
export async function readRuleFile(path: string | URL): Promise<WrittenRules> {
  const file = path instanceof URL ? fileURLToPath(path) : path;
  const name = makeName(file);
  if (!MODULE.test(file)) {
    // What reads YAML takes as long to load as all else that the command needs.
    const { readRuleText } = await import('./rule-text.ts');
    const { content, locateRule } = readRuleText(readText(file), file);
    return { name, isFile: true, rules: readList(content, file), locateRule };
  }
  const content = await importModule(file, { '@spec/rules': { defineRule } });
  const locateRule = (index: number): string => `${file}, rules[${index}]`;
  return { name, isFile: true, rules: readList(content, file), locateRule };
}

function makeName(file: string): string {
  const words = basename(file)
    .replace(/\..*$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('_');
  return /^[a-z]/.test(words) ? words : `rules_${words}`.replace(/_$/, '');
}

function readText(file: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readRegularFile(file, MAX_BYTES);
  } catch (error) {
    const { code = 'unknown', message } = error as NodeJS.ErrnoException;
    throw badRuleFile(file, `cannot be read: ${message} (${code})`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRuleFile(file, 'is not in UTF-8');
  }
}

function readList(content: unknown, file: string): readonly unknown[] {
  if (Array.isArray(content)) return content;
  const fields = typeof content === 'object' && content !== null ? content : {};
  const { rules, $schema: _, ...others } = fields as { rules?: unknown; $schema?: unknown };
  const unknown = Object.keys(others);
  if (unknown.length > 0)
    throw badRuleFile(file, `has fields that a rule file does not have: ${unknown.join(', ')}`);
  if (Array.isArray(rules)) return rules;
  throw badRuleFile(file, 'must hold a list of rules, or { rules: a list of them }');
}

/** Rules that code gives. @param owner stands before their places: `SKILL.md of the skill "x"` */
export function rulesInCode(rules: readonly RuleInput[], owner?: string): WrittenRules {
  const before = owner === undefined ? '' : `${owner}, `;
  return {
    name: 'rule',
    isFile: owner !== undefined,
    rules,
    locateRule: (index) => `${before}rules[${index}]`,
  };
}
