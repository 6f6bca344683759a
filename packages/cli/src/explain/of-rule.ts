import { isRecord, type LifecycleName } from '@spec/hooks';
import { explainRule, type Rule } from '@spec/rules';
import { findToolCall, no, type Occasion, type Outlook, silent } from './outlook.ts';

/** What a rule would do. */
export function ofRule(rule: Rule, { hook, args }: Pick<Occasion, 'hook' | 'args'>): Outlook {
  const { applies, why, answer } = explainRule(rule, ruleOccasion(hook, args));
  if (!applies) return no(why ?? 'its conditions do not hold');
  const clause = why ?? `its conditions hold: ${rule.action}`;
  if (answer === undefined) return { runs: true, why: clause, opinion: 'open' };
  const { decision, reason = null } = answer;
  return { runs: true, why: clause, opinion: decision === undefined ? silent : { decision, reason } };
}

function ruleOccasion(hook: LifecycleName, args: readonly unknown[]): Parameters<typeof explainRule>[1] {
  const call = findToolCall(hook, args);
  if (call !== undefined) {
    const { name: toolName, input } = call;
    return { toolName, toolInput: isRecord(input) ? input : {} };
  }
  const [first = {}] = args as readonly [{ readonly content?: string | null; readonly reason?: string }?];
  const { content, reason } = first;
  return {
    ...(content !== undefined && { prompt: content ?? '' }),
    ...(reason !== undefined && { stopReason: reason }),
  };
}
