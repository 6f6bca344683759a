import type { Effect, Effects } from '../../normal-form.ts';
import type { Blocking } from '../nested/blocked.ts';
import type { Fields } from '../nested/fields.ts';
import type { Report } from '../nested/report.ts';
import type { ClaudeEvent } from './events.ts';
import { type ClaudeVariant, type HandlerType, hasKey } from './variant.ts';

const REFUSES: ReadonlySet<Blocking> = new Set(['deny', 'keep-going', 'end-turn']);

const EFFECTS: readonly Effect[] = ['continue', 'block', 'ask'];

/** What is known of an entry whose failures are asked for. */
interface Failing {
  readonly event: ClaudeEvent;
  readonly type: HandlerType;
  readonly isAwaited: boolean;
  readonly variant: ClaudeVariant;
}

/** Failures never block in this form, unless an entry says so and the event can refuse something. */
export function readEffects(fields: Fields, failing: Failing, report: Report): Effects {
  const { event, isAwaited, variant } = failing;
  const isKnown = hasKey(variant, 'onFailure');
  const written = isKnown ? readOnFailure(fields, failing.type) : undefined;
  const writtenTimeout = isKnown ? fields.word('onTimeout', EFFECTS) : undefined;
  const counts = event.refusesFailures === true && isAwaited;
  if (!counts) reportIdle(fields, { written, writtenTimeout, isAwaited }, report);
  const onFailure = counts ? (written ?? 'continue') : 'continue';
  const isMild = event.ignoresExit2 || !REFUSES.has(event.blocking);
  return {
    onBlockingExit: isMild ? 'continue' : 'block',
    onExit: onFailure,
    onTimeout: counts ? (writtenTimeout ?? onFailure) : 'continue',
    onLaunchError: event.refusesLaunchErrors && isAwaited ? 'block' : onFailure,
    onInvalidOutput: onFailure,
  };
}

/** On a tool, Claude Code takes each word but `continue` for `block`. */
function readOnFailure(fields: Fields, type: HandlerType): Effect | undefined {
  if (type !== 'mcp_tool') return fields.word('onFailure', EFFECTS);
  const word = fields.text('onFailure');
  return word === undefined || word === 'continue' ? word : 'block';
}

interface Idle {
  readonly written: Effect | undefined;
  readonly writtenTimeout: Effect | undefined;
  readonly isAwaited: boolean;
}

/** Who writes `block` counts on it. */
function reportIdle(fields: Fields, { written, writtenTimeout, isAwaited }: Idle, report: Report): void {
  const where = isAwaited ? 'on this event, which refuses nothing when a hook fails' : 'on an async hook';
  for (const [key, effect] of Object.entries({ onFailure: written, onTimeout: writtenTimeout })) {
    if (effect === undefined || effect === 'continue') continue;
    const message = `"${key}": "${effect}" does nothing ${where}. Remove it, or move the hook.`;
    report.warning('cannot_block', [...fields.path, key], message);
  }
}
