import type { CommandEntry, Hardening } from '@spec/commands';
import { type AnyHook, type LifecycleName, lifecycleTable } from '@spec/hooks';
import { sourceOf } from '@spec/hooks/node';
import type { Rule } from '@spec/rules';
import type { Project } from '../project/load-project.ts';
import { type CheckFinding, finding, placeOf } from './finding.ts';

/** Where something can be refused before it happens. */
const GATES: readonly LifecycleName[] = [
  'before_tool_call',
  'before_user_message',
  'before_permission_request',
];

/** Guards that let pass what they guard when they fail. */
export function gateFindings({ hooks, modulePolicies, settings, rules, config }: Project): CheckFinding[] {
  return [
    ...[...hooks, ...modulePolicies].flatMap(moduleFindings),
    ...(settings?.entries ?? []).flatMap((entry) => entryFindings(entry, config.harden ?? {})),
    ...(rules?.rules ?? []).flatMap(ruleFindings),
  ];
}

/** Somebody wrote so. */
function moduleFindings(hook: AnyHook): CheckFinding[] {
  if (!GATES.includes(hook.hook)) return [];
  const { id, onError = lifecycleTable[hook.hook].onFailure, onTimeout = onError } = hook;
  const ways = [
    onError === 'continue' ? ['fails'] : [],
    onTimeout === 'continue' ? ['times out'] : [],
  ].flat();
  if (ways.length === 0) return [];
  const message = `Where this guard ${ways.join(' or ')}, what it guards goes ahead. Write onError: 'block' and no onTimeout, if that is not what you want.`;
  return [finding({ level: 'note', code: 'fails_open', ...placeOf(sourceOf(hook)), entry: id, message })];
}

const lapses = {
  onTimeout: 'times out',
  onLaunchError: 'cannot be started',
  onExit: 'ends with an exit code that means nothing, as a crash does',
  onInvalidOutput: 'answers what cannot be read',
} as const satisfies Readonly<Record<keyof Hardening, string>>;

function entryFindings(
  { event, isAwaited, effects, place, dialect }: CommandEntry,
  harden: Hardening,
): CheckFinding[] {
  const canBlock = Object.values(effects).some((effect) => effect !== 'continue');
  if (!GATES.includes(event) || !isAwaited || !canBlock) return [];
  const keys = Object.keys(lapses) as (keyof typeof lapses)[];
  const open = keys.filter((key) => effects[key] === 'continue' && !Object.hasOwn(harden, key));
  if (open.length === 0) return [];
  const own = dialect === 'service' ? '"timeoutBehavior" and "failureBehavior" in the file, or ' : '';
  const message = `What this hook guards goes ahead where it ${open.map((key) => lapses[key]).join(', or ')}. To change that, set ${own}harden: { ${open.map((key) => `${key}: 'block'`).join(', ')} } in hooks.config.ts; 'continue' there says that it shall be so.`;
  const { file, line, column, path } = place;
  return [finding({ level: 'warning', code: 'fails_open', file, line, column, entry: path, message })];
}

function ruleFindings({ id, event, action, continueOnError, place }: Rule): CheckFinding[] {
  const isGate = event === 'PreToolUse' || event === 'UserPromptSubmit';
  if (!isGate || action !== 'script' || !continueOnError) return [];
  const message =
    'Where this script fails or takes too long, what it guards goes ahead. Write continueOnError: false if that shall deny.';
  return [finding({ level: 'note', code: 'fails_open', ...placeOf(place), entry: id, message })];
}
