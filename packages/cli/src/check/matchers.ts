import { type CommandEntry, compileEntry, dialectTraits } from '@spec/commands';
import { type AnyHook, lifecycleRow, type Matcher, nearest } from '@spec/hooks';
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
  const isTold = ({ event }: CommandEntry): boolean =>
    tools.length > 0 && lifecycleRow(event).toolCall !== undefined;
  return [
    ...(tools.length === 0 ? [] : toolFindings(project, tools)),
    ...entries.filter((entry) => !isTold(entry)).flatMap(knownNameFindings),
  ];
}

function toolFindings(project: Project, tools: readonly string[]): CheckFinding[] {
  const { settings, rules, triggers, triggerFiles, folder } = project;
  const found = [
    ...[...project.hooks, ...project.modulePolicies].map((hook) => moduleMatcher(hook)),
    ...(settings?.entries ?? []).map((entry) => entryMatcher(entry, folder)),
    ...(rules?.rules ?? []).map(({ id, place, matcher }) => ({
      id,
      source: place,
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
  return found.flatMap((one) => noSuchTool(one, tools));
}

interface Tested {
  readonly id: string;
  readonly source: string | undefined;
  /** The matcher as it was written; `undefined` where there is none. */
  readonly text: unknown;
  wants(tool: string): boolean;
}

function noSuchTool({ id, source, text, wants }: Tested, tools: readonly string[]): CheckFinding[] {
  if (text === undefined || tools.some((tool) => wants(tool))) return [];
  const written = typeof text === 'string' ? text : JSON.stringify(text);
  const meant = nearest(written.replace(/\(.*$/s, '').replace(/^[\^/]|[$/]$/g, ''), tools);
  const hint = meant === undefined ? `They are ${tools.join(', ')}.` : `Did you mean "${meant}"?`;
  const message = `The matcher ${written} matches none of the configured tools, so this never runs. ${hint}`;
  return [finding({ level: 'warning', code: 'no_such_tool', ...readPosition(source), entry: id, message })];
}

function moduleMatcher(hook: AnyHook): Tested {
  const { matcher } = hook;
  const wants = (tool: string): boolean => matcher === undefined || wantsName(matcher, tool);
  return { id: hook.id, source: sourceOf(hook), text: matcher?.source, wants };
}

function entryMatcher(entry: CommandEntry, folder: string): Tested {
  const { id, place, matcher, event } = entry;
  const isTool = lifecycleRow(event).toolCall !== undefined;
  const compiled = compileEntry(byNameOnly(entry));
  return {
    id,
    source: `${place.file}:${place.line}:${place.column}`,
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
