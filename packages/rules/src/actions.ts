import { gates, guardedEvents, type RuleEvent, ruleEvents } from './events.ts';

/** What a rule does where it matches. Everything that depends on an action stands in its row below. */
export type RuleAction = 'deny' | 'allow' | 'log' | 'script';

interface ActionRow {
  /**
   * `guards`: it is there to keep something from happening, so where it must not run or cannot be tested, what it guards is denied.
   * `grants`: its answer holds for a command only where the line runs one plain command. `watches`: it changes nothing.
   */
  readonly stance: 'guards' | 'grants' | 'watches';
  /** What it decides; `null` where that is nothing, or up to its script. */
  readonly decides: 'deny' | 'ask' | 'allow' | null;
  /** What the model is told where the rule has no reason of its own. An action without it takes no reason. */
  readonly defaultReason?: (id: string) => string;
  /** No rule behind it can change the answer. */
  readonly isFinal?: true;
  readonly runsScript?: true;
  readonly logs?: true;
  /** Where it can do something. */
  readonly events: readonly RuleEvent[];
}

const ruleActions: Readonly<Record<RuleAction, ActionRow>> = {
  deny: {
    stance: 'guards',
    decides: 'deny',
    defaultReason: (id) => `The rule "${id}" does not allow this.`,
    isFinal: true,
    events: gates,
  },
  allow: { stance: 'grants', decides: 'allow', events: guardedEvents },
  log: { stance: 'watches', decides: null, logs: true, events: ruleEvents },
  script: { stance: 'guards', decides: null, runsScript: true, events: ruleEvents },
};

/** The names of all actions. */
export const actionNames = Object.keys(ruleActions) as [RuleAction, ...RuleAction[]];

/** What there is to know about the action of a rule. */
export function actionOf({ action }: { readonly action: RuleAction }): ActionRow {
  return ruleActions[action];
}

/** Whether a rule denies where it cannot be tested, or fails. */
export function deniesOnError(rule: {
  readonly action: RuleAction;
  readonly continueOnError: boolean;
}): boolean {
  const { stance, runsScript = false } = actionOf(rule);
  return stance === 'guards' && !(runsScript && rule.continueOnError);
}

/** Whether a rule denies where it must not run at all. */
export function deniesUnrun(rule: { readonly action: RuleAction; readonly event: RuleEvent }): boolean {
  return actionOf(rule).stance === 'guards' && guardedEvents.includes(rule.event);
}
