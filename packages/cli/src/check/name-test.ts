import { type CompiledMatcher, compileMatcher, type Matcher } from '@spec/hooks';
import { timedRegexes } from '@spec/hooks/node';

/** Whether a matcher wants a tool, by the tool's name. */
export function nameTest(match: Matcher): (tool: string) => boolean {
  const matcher = compileMatcher(match, { regex: timedRegexes().compile });
  return (tool) => wantsName(matcher, tool);
}

/** Whether a matcher wants a tool's name; what else it asks for does not count. */
export function wantsName(matcher: CompiledMatcher, name: string): boolean {
  const why = matcher.explain({ name, input: {} });
  return !/^tools: .* does not match /s.test(why);
}
