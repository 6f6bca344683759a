import {
  areCommandsPlain,
  type DecisionName,
  isStricter,
  MAX_DECISION_ROUNDS,
  type Outcome,
  type RunCode,
  type RunError,
  rewrittenTooOften,
} from '@spec/hooks';
import { actionOf, deniesOnError, deniesUnrun } from './actions.ts';
import type { RuleEvent } from './events.ts';
import type { Match, RuleMatcher } from './matching.ts';
import type { Rule } from './rule.ts';

/** What a rule, or all of them, answered. */
export interface RuleAnswer {
  readonly decision?: DecisionName | undefined;
  /** For the model. */
  readonly reason?: string | undefined;
  /** The rewritten input, or the rewritten prompt. */
  readonly input?: Record<string, unknown> | string | undefined;
  /** For the conversation. */
  readonly context?: string | undefined;
}

/** How one rule ran. */
export interface RuleRun {
  readonly rule: Pick<Rule, 'id' | 'position'>;
  readonly outcome: Outcome;
  readonly ms: number;
  /** Of a rule that could not be tested. */
  readonly code?: RunCode | undefined;
  readonly why?: string | undefined;
}

/** What rules are asked about. */
export interface RuleOccasion {
  readonly event: RuleEvent;
  readonly agentId: string;
  readonly toolName?: string;
  readonly toolInput?: Record<string, unknown>;
  readonly toolResult?: { readonly content: string; readonly is_error?: true };
  readonly prompt?: string;
  readonly stopReason?: string;
}

/** How a script of a rule came out: its answer, or why there is none. */
export type ScriptAnswer =
  | { readonly answer: RuleAnswer }
  | {
      readonly failed: Extract<Outcome, 'failed' | 'timed_out' | 'aborted' | 'invalid_result'>;
      readonly why: string;
      readonly message: string;
      /** It was not run at all. */
      readonly isUnrun?: true;
    };

/** Who does what rules ask for. */
export interface RuleActions {
  log(rule: Rule, occasion: RuleOccasion): void;
  script(rule: Rule, occasion: RuleOccasion): Promise<ScriptAnswer>;
  /** Hears how each rule ran that matched. */
  onRun(run: RuleRun): void;
}

/**
 * Evaluates the rules of one event (rules and scripts, "Priority and Ordering").
 *
 * E1 Higher priority first. A deny ends it; an allow is remembered, and a later deny still wins.
 * E2 Where a script rewrites the input, all rules are asked again about the new one, without the script that made it: at most three times. What
 *    that script decided is about the input that it made, and counts with what the others decide about it. A deny beside an input is a deny.
 * E3 An allow whose pattern is about a command counts where the line is one plain command.
 * E4 A rule that must not run, or a script that was given too much to run, denies what it guards (a deny or a script, before a tool or a prompt), and else does nothing.
 * E5 A rule that cannot be tested denies where it is there to deny; as a script it fails, and else it does nothing. Each says so in the record.
 */
export async function evaluateRules(
  matcher: RuleMatcher,
  given: RuleOccasion,
  actions: RuleActions,
): Promise<RuleAnswer> {
  let occasion = given;
  let answer: RuleAnswer = {};
  let rewriter: Rule | undefined;
  let ofRewriter: RuleAnswer = {};
  for (let round = 0; round <= MAX_DECISION_ROUNDS; round++) {
    const end = await evaluateOnce({ matcher, occasion, without: rewriter }, actions);
    const { input = answer.input } = end.answer;
    const decided = end.rewrittenBy === undefined ? stricter(ofRewriter, end.answer) : end.answer;
    answer = { ...decided, ...joinContexts(answer, end.answer), ...(input === undefined ? {} : { input }) };
    if (end.rewrittenBy === undefined) return answer;
    rewriter = end.rewrittenBy;
    ofRewriter = withoutContext(end.answer);
    occasion = withInput(occasion, end.answer.input as string | Record<string, unknown>);
  }
  return { decision: 'deny', reason: rewrittenTooOften(`the rule "${rewriter?.id}"`) };
}

function withoutContext({ context: _, ...answer }: RuleAnswer): RuleAnswer {
  return answer;
}

function joinContexts(before: RuleAnswer, after: RuleAnswer): { context?: string } {
  const all = [before.context, after.context].filter((text) => text !== undefined);
  return all.length === 0 ? {} : { context: all.join('\n\n') };
}

function withInput(occasion: RuleOccasion, input: string | Record<string, unknown>): RuleOccasion {
  return typeof input === 'string' ? { ...occasion, prompt: input } : { ...occasion, toolInput: input };
}

interface Round {
  readonly matcher: RuleMatcher;
  readonly occasion: RuleOccasion;
  readonly without: Rule | undefined;
}

interface RoundEnd {
  readonly answer: RuleAnswer;
  readonly rewrittenBy?: Rule;
}

async function evaluateOnce({ matcher, occasion, without }: Round, actions: RuleActions): Promise<RoundEnd> {
  let answer: RuleAnswer = {};
  for (const match of matcher.matching(makeOccurrence(occasion))) {
    if (match.rule === without) continue;
    const next = withoutSameInput(await applyRule(match, occasion, actions), occasion);
    if (next.input !== undefined && next.decision !== 'deny')
      return { answer: { ...next, ...joinContexts(answer, next) }, rewrittenBy: match.rule };
    answer = stricter(answer, next);
    if (answer.decision === 'deny') return { answer };
  }
  return { answer };
}

/** An input that is given back as it was is no other one. */
function withoutSameInput({ input, ...answer }: RuleAnswer, { toolInput, prompt }: RuleOccasion): RuleAnswer {
  const isSame = input === undefined || JSON.stringify(input) === JSON.stringify(toolInput ?? prompt);
  return isSame ? answer : { ...answer, input };
}

function stricter(before: RuleAnswer, next: RuleAnswer): RuleAnswer {
  const { decision, reason } = isStricter(next.decision, before.decision) ? next : before;
  return {
    ...(decision === undefined ? {} : { decision }),
    ...(reason === undefined ? {} : { reason }),
    ...joinContexts(before, next),
  };
}

/** What the conditions of rules look at. */
export function makeOccurrence({
  toolName,
  toolInput,
  prompt,
  stopReason,
}: Omit<RuleOccasion, 'event' | 'agentId'>): {
  toolName?: string;
  input: Record<string, unknown>;
} {
  const input = toolInput ?? {
    ...(prompt !== undefined && { prompt }),
    ...(stopReason !== undefined && { stopReason }),
  };
  return toolName === undefined ? { input } : { toolName, input };
}

async function applyRule(
  { rule, untested }: Match,
  occasion: RuleOccasion,
  { log, script, onRun }: RuleActions,
): Promise<RuleAnswer> {
  const startedAt = performance.now();
  const tell: Tell = (outcome, { code, why } = {}) =>
    onRun({ rule, outcome, ms: performance.now() - startedAt, code, why });
  if (rule.refusal !== undefined) {
    const answer = answerRefused(rule);
    tell(answer.decision === 'deny' ? 'denied' : 'skipped', { why: rule.refusal });
    return answer;
  }
  if (untested !== undefined) {
    const answer = answerUntested(rule, untested);
    tell(answer.decision === 'deny' ? 'denied' : 'failed', { code: untested.code, why: untested.message });
    return answer;
  }
  const certain = certainAnswer(rule, occasion);
  if (certain === undefined) return afterScript(rule, await script(rule, occasion), tell);
  if (actionOf(rule).logs) log(rule, occasion);
  const why = whyNotAllowed(rule, occasion);
  tell(findOutcome(certain), why === undefined ? {} : { why });
  return certain;
}

type Tell = (outcome: Outcome, about?: Pick<RuleRun, 'code' | 'why'>) => void;

/** The answer of a rule that matches; `undefined` where its script has to be run for it. */
export function certainAnswer(rule: Rule, occasion: Pick<RuleOccasion, 'toolInput'>): RuleAnswer | undefined {
  const { decides, runsScript, defaultReason } = actionOf(rule);
  if (runsScript) return undefined;
  if (decides === null || whyNotAllowed(rule, occasion) !== undefined) return {};
  const reason = defaultReason === undefined ? undefined : (rule.reason ?? defaultReason(rule.id));
  return reason === undefined ? { decision: decides } : { decision: decides, reason };
}

/**
 * Why an allow does not count: its pattern is about a field that holds more than a text, or about a command line, and fits also where other commands run beside, or where nobody
 * can tell what runs.
 */
export function whyNotAllowed(
  rule: Rule,
  { toolInput }: Pick<RuleOccasion, 'toolInput'>,
): string | undefined {
  if (actionOf(rule).stance !== 'grants') return undefined;
  const { inputMatchers = {} } = rule;
  if (
    toolInput !== undefined &&
    Object.keys(inputMatchers).some((field) => typeof toolInput[field] !== 'string')
  )
    return NO_TEXT;
  if (!COMMANDS.some((field) => Object.hasOwn(inputMatchers, field))) return undefined;
  return areCommandsPlain(toolInput, Object.keys(inputMatchers)) ? undefined : NOT_PLAIN;
}

const COMMANDS = ['command', 'cmd'];
const NO_TEXT = 'its allow does not count: a field that it tests is no text';
const NOT_PLAIN =
  'its allow does not count: the call runs more than the one plain command that is tested, or may do so';

/** The answer of a rule that must not run (E4). */
export function answerRefused(rule: Rule): RuleAnswer {
  if (!deniesUnrun(rule)) return {};
  const { id, refusal = '' } = rule;
  return { decision: 'deny', reason: `The rule "${id}" guards this, and cannot run. ${refusal}` };
}

/** The answer of a rule that may match, and nobody knows (E5). */
export function answerUntested(rule: Rule, { message }: RunError): RuleAnswer {
  if (!deniesOnError(rule)) return {};
  return {
    decision: 'deny',
    reason: `The rule "${rule.id}" could not be tested, so this is denied. ${message}`,
  };
}

function afterScript(rule: Rule, end: ScriptAnswer, tell: Tell): RuleAnswer {
  if ('failed' in end) {
    tell(end.failed, { why: end.why });
    if (!deniesOnError(rule) && !(end.isUnrun && deniesUnrun(rule))) return {};
    return { decision: 'deny', reason: `The script of the rule "${rule.id}" failed: ${end.message}` };
  }
  tell(findOutcome(end.answer));
  return end.answer;
}

const outcomes = { allow: undefined, ask: 'asked', deny: 'denied' } as const;

function findOutcome({ decision, input }: RuleAnswer): Outcome {
  return (decision && outcomes[decision]) ?? (input === undefined ? 'ok' : 'changed');
}
