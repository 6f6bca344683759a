import { compileMatcher, type HookToolCall, type Matcher } from '@spec/hooks';
import type { AnyTrigger } from '@spec/triggers';
import { findToolCall, no, type Occasion, type Outlook, silent } from './outlook.ts';

/** What a trigger would do: it never decides. */
export function ofTrigger(trigger: AnyTrigger, { args: [batch] }: Occasion): Outlook {
  const { match, when, once } = trigger as AnyTrigger & { readonly match?: Matcher };
  if (match !== undefined && Array.isArray(batch)) {
    const matcher = compileMatcher(match);
    const calls = (batch as { toolCall: HookToolCall }[]).flatMap(
      ({ toolCall }) => findToolCall('before_tool_call', [toolCall]) ?? [],
    );
    const [first] = calls;
    if (first !== undefined && !calls.some((call) => matcher.test(call))) return no(matcher.explain(first));
  }
  const limits = [when && 'its conditions hold', once && `it has not fired in this ${once}`].filter(Boolean);
  if (limits.length === 0) return { runs: true, why: 'it has no further condition', opinion: silent };
  return { runs: null, why: `where ${limits.join(' and ')}`, opinion: silent };
}
