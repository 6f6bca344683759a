import { type CommandEntry, compileEntry, dialectTraits } from '@spec/commands';
import { type AnyHook, findMisnamedTools, lifecycleRow, type Matcher, nearest } from '@spec/hooks';
import { sourceOf } from '@spec/hooks/node';
import type { Project } from '../project/load-project.ts';
import { type CheckFinding, finding, readPosition } from './finding.ts';
import { knownNameFindings } from './known-names.ts';
import { nameTest, wantsName } from './name-test.ts';
import { sampleOccasion } from './occasion.ts';

/** Matchers that fit none of the tools that the configuration names, or none of the names that their format knows. */
export function matcherFindings(project: Project): CheckFinding[] {
  const { tools = [] } = project.config;
  const entries = project.settings?.entries ?? [];
  if (tools.length === 0)
    return [
      ...listMatchersOfCode(project).flatMap((one) => spelledAsClaude(one)),
      ...entries.flatMap(knownNameFindings),
    ];
  const ofSettings = entries.map((entry) => entryMatcher(entry, project.folder));
  return [
    ...[...listMatchersOfCode(project), ...ofSettings].flatMap((one) => noSuchTool(one, tools)),
    ...entries.filter(({ event }) => lifecycleRow(event).toolCall === undefined).flatMap(knownNameFindings),
  ];
}

/** The matchers of modules, rules and triggers. */
function listMatchersOfCode(project: Project): Tested[] {
  const { rules, triggers, triggerFiles } = project;
  return [
    ...[...project.hooks, ...project.modulePolicies].map((hook) => moduleMatcher(hook)),
    ...(rules?.rules ?? []).map(({ id, position, matcher }) => ({
      id,
      source: position,
      text: matcher,
      wants: nameTest(`/${matcher}/`),
    })),
    ...triggers.map((trigger) => {
      const match = (trigger as { readonly match?: Matcher }).match;
      return {
        id: trigger.id,
        source: triggerFiles.get(trigger),
        text: match,
        wants: nameTest(match ?? '*'),
      };
    }),
  ];
}

interface Tested {
  readonly id: string;
  readonly source: string | undefined;
  /** The matcher as it was written; `undefined` where there is none. */
  readonly text: unknown;
  wants(tool: string): boolean;
}

function noSuchTool({ id, source, text, wants }: Tested, tools: readonly string[]): CheckFinding[] {
  if (text === undefined) return [];
  const where = { ...readPosition(source), entry: id };
  if (tools.some((tool) => wants(tool)))
    return misspelt(text, tools).map((message) =>
      finding({ level: 'warning', code: 'part_never_matches', ...where, message }),
    );
  const written = typeof text === 'string' ? text : JSON.stringify(text);
  const meant = nearest(written.replace(/\(.*$/s, '').replace(/^[\^/]|[$/]$/g, ''), tools);
  const hint = meant === undefined ? `They are ${tools.join(', ')}.` : `Did you mean "${meant}"?`;
  const message = `The matcher ${written} matches none of the configured tools, so this never runs. ${hint}`;
  return [finding({ level: 'warning', code: 'no_such_tool', ...where, message })];
}

/** Names in a matcher that a tool has in another case: sentences. */
function misspelt(text: unknown, tools: readonly string[]): string[] {
  return findMisnamedTools(toSource(text), tools).map(
    ({ written, meant }) =>
      `No configured tool is called "${written}", so this part of the matcher never fits. Did you mean "${meant}"?`,
  );
}

/** Nobody knows the tools of this project: a name that Claude Code has in another case is told. */
function spelledAsClaude({ id, source, text }: Tested): CheckFinding[] {
  const { of = '', names = [] } = dialectTraits.claude.namesAt?.('PreToolUse') ?? {};
  return findMisnamedTools(toSource(text), names).map(({ written, meant }) =>
    finding({
      level: 'note',
      code: 'other_case',
      ...readPosition(source),
      entry: id,
      message: `The tool "${written}" is called "${meant}" in ${of}, and case counts. If your tool is "${written}", name it under "tools" in hooks.config.ts.`,
    }),
  );
}

function toSource(text: unknown): string {
  return typeof text === 'string' ? text : '';
}

function moduleMatcher(hook: AnyHook): Tested {
  const { matcher } = hook;
  const wants = (tool: string): boolean => matcher === undefined || wantsName(matcher, tool);
  return { id: hook.id, source: sourceOf(hook), text: matcher?.source, wants };
}

function entryMatcher(entry: CommandEntry, folder: string): Tested {
  const { id, position, matcher, event } = entry;
  const isTool = lifecycleRow(event).toolCall !== undefined;
  const compiled = compileEntry(byNameOnly(entry));
  return {
    id,
    source: `${position.file}:${position.line}:${position.column}`,
    text: isTool ? matcher : undefined,
    wants: (tool) => compiled.mismatch(sampleOccasion(entry, folder, tool)) === undefined,
  };
}

/** The entry without what it asks for besides the tool's name. */
function byNameOnly({ condition: _, isOnce: _once, only: _only, ...entry }: CommandEntry): CommandEntry {
  const { matcher, dialect } = entry;
  const { nameMatcher } = dialectTraits[dialect];
  return matcher === undefined || nameMatcher === undefined
    ? entry
    : { ...entry, matcher: nameMatcher(matcher) };
}
