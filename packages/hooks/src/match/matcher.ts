// placeholder so that the rest compiles while the matcher is being written; to be overwritten
export type Matcher = string | RegExp | MatcherObject;
export interface MatcherObject {
  tools?: string | RegExp | readonly string[];
}
export interface ToolCallView {
  name: string;
  input: unknown;
}
export interface MatchEnvironment {
  resolvePath?(path: string): string;
  cwd?: string;
}
export interface CompiledMatcher {
  readonly source: string;
  test(call: ToolCallView, environment?: MatchEnvironment): boolean;
  explain(call: ToolCallView, environment?: MatchEnvironment): string;
}
export function compileMatcher(matcher: Matcher): CompiledMatcher {
  return { source: String(matcher), test: (call) => call.name === matcher, explain: () => 'placeholder' };
}
