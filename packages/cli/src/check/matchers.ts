import { type CommandEntry, compileEntry, dialectTraits } from '@spec/commands';
import {
  type AnyHook,
  type CompiledMatcher,
  compileMatcher,
  lifecycleRow,
  type Matcher,
  nearest,
} from '@spec/hooks';
import { sourceOf, timedRegexes } from '@spec/hooks/node';
import type { Project } from '../project/load-project.ts';
import { type CheckFinding, finding, readPosition } from './finding.ts';
import { sampleOccasion } from './occasion.ts';

/** Matchers that want none of the tools that the configuration names. */
export function matcherFindings(project: Project): CheckFinding[] {
  const { tools = [] } = project.config;
  if (tools.length === 0) return [];
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

/** Whether a matcher wants a tool's name; what else it asks for does not count. */
function wantsName(matcher: CompiledMatcher, name: string): boolean {
  const why = matcher.explain({ name, input: {} });
  return !/^tools: .* does not match /s.test(why);
}

/** Whether a matcher wants a tool, by the tool's name. */
export function nameTest(match: Matcher): (tool: string) => boolean {
  const matcher = compileMatcher(match, { regex: timedRegexes().compile });
  return (tool) => wantsName(matcher, tool);
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
