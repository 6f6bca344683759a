import { type CommandEntry, dialectTraits, type Hardening, isGate } from '@spec/commands';
import { type AnyHook, lifecycleTable } from '@spec/hooks';
import { sourceOf } from '@spec/hooks/node';
import { actionOf, hooksOfEvents, type Rule } from '@spec/rules';
import type { Project } from '../project/load-project.ts';
import { canDecide } from './can-decide.ts';
import { type CheckFinding, type FindingInput, finding, readPosition } from './finding.ts';
import { idFindings } from './ids.ts';
import { matcherFindings } from './matchers.ts';
import { ruleFindings } from './rules.ts';

/** Guards that let pass what they guard when they fail. Those that never run are told of elsewhere. */
export function gateFindings(project: Project): CheckFinding[] {
  const { hooks, modulePolicies, settings, rules, config } = project;
  const idle = new Set(
    [...matcherFindings(project), ...idFindings(project), ...ruleFindings(project)].flatMap(findIdleKey),
  );
  const isIdle = (source: string | undefined, id: string): boolean =>
    idle.has(makeGateKey({ ...readPosition(source), entry: id }));
  const entries = (settings?.entries ?? []).filter(
    ({ id, position: { file, line } }) => !idle.has(makeGateKey({ file, line, entry: id })),
  );
  return [
    ...[...hooks, ...modulePolicies]
      .filter((hook) => !isIdle(sourceOf(hook), hook.id))
      .flatMap(moduleFindings),
    ...entryFindings(entries, config.harden ?? {}),
    ...(rules?.rules ?? []).filter(({ id, position }) => !isIdle(position, id)).flatMap(scriptFindings),
  ];
}

const IDLE: readonly string[] = ['no_such_tool', 'never_matches', 'unreachable_rule'];

/** The findings that say of a hook that it never runs. */
function findIdleKey(found: CheckFinding): string[] {
  const isIdle = IDLE.includes(found.code) && found.level !== 'note';
  return isIdle || found.code === 'never_named' ? [makeGateKey(found)] : [];
}

function makeGateKey({ file, line, entry }: Pick<FindingInput, 'file' | 'line' | 'entry'>): string {
  return JSON.stringify([file ?? null, line ?? null, entry]);
}

/** Somebody wrote so. */
function moduleFindings(hook: AnyHook): CheckFinding[] {
  if (!isGate(hook.hook)) return [];
  const { id, onError = lifecycleTable[hook.hook].onFailure, onTimeout = onError } = hook;
  const ways = [
    onError === 'continue' ? ['fails'] : [],
    onTimeout === 'continue' ? ['times out'] : [],
  ].flat();
  if (ways.length === 0) return [];
  const message = `If this guard ${ways.join(' or ')}, what it guards goes ahead. To block it instead, write onError: 'block' and leave onTimeout out.`;
  return [
    finding({ level: 'note', code: 'fails_open', ...readPosition(sourceOf(hook)), entry: id, message }),
  ];
}

const lapses = {
  onTimeout: 'times out',
  onLaunchError: 'cannot be started',
  onExit: 'exits with a code that the format does not know, as after a crash',
  onInvalidOutput: 'gives an answer that cannot be read',
} as const satisfies Readonly<Record<keyof Hardening, string>>;

/** One for all entries of a file that fail in the same ways. */
function entryFindings(entries: readonly CommandEntry[], harden: Hardening): CheckFinding[] {
  const groups = new Map<string, CommandEntry[]>();
  for (const entry of entries) {
    const alike = JSON.stringify([entry.position.file, openWays(entry, harden)]);
    groups.set(alike, [...(groups.get(alike) ?? []), entry]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group as [CommandEntry];
    const open = openWays(first, harden);
    if (open.length === 0) return [];
    const { file, line, column, path } = first.position;
    const others = group.slice(1).map(({ position }) => position.line);
    const who =
      others.length === 0
        ? 'This hook allows what it guards'
        : `This hook and ${describeLines(others)} allow what they guard`;
    const it = others.length === 0 ? 'it' : 'one of them';
    const { failureKeys } = dialectTraits[first.dialect];
    const own = failureKeys === undefined ? '' : `${failureKeys} in the file, or `;
    const message = `${who} if ${it} ${open.map((key) => lapses[key]).join(', or ')}. To deny instead, set ${own}harden: { ${open.map((key) => `${key}: 'block'`).join(', ')} } in hooks.config.ts. To accept the risk, write 'continue' there.`;
    return [finding({ level: 'risk', code: 'fails_open', file, line, column, entry: path, message })];
  });
}

/** In which ways an entry lets pass what it guards, and nobody said that it shall. */
function openWays(entry: CommandEntry, harden: Hardening): (keyof typeof lapses)[] {
  const { event, isAwaited, effects } = entry;
  const canBlock = Object.values(effects).some((effect) => effect !== 'continue');
  if (!isGate(event) || !isAwaited || !canBlock || !canDecide(entry)) return [];
  const keys = Object.keys(lapses) as (keyof typeof lapses)[];
  return keys.filter((key) => effects[key] === 'continue' && !Object.hasOwn(harden, key));
}

function describeLines(lines: readonly number[]): string {
  return lines.length === 1 ? `that of line ${lines[0]}` : `those of lines ${lines.join(', ')}`;
}

function scriptFindings(rule: Rule): CheckFinding[] {
  const { id, event, continueOnError, position } = rule;
  if (!hooksOfEvents[event].some(isGate) || !actionOf(rule).runsScript || !continueOnError) return [];
  const message =
    'If this script fails or takes too long, what it guards goes ahead. To deny instead, write continueOnError: false.';
  return [finding({ level: 'note', code: 'fails_open', ...readPosition(position), entry: id, message })];
}
