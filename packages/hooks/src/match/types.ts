/** Which tool calls a hook is for. A string is a tool pattern such as `Bash(git:*)`, see docs/matchers.md. */
export type Matcher = string | RegExp | MatcherObject;

/** Conditions on one tool call. All given conditions must hold. */
export interface MatcherObject {
  /** Tool patterns, or regular expressions on the tool's name. One must match. */
  readonly tools?: string | RegExp | readonly (string | RegExp)[];
  /** Globs on `file_path`, `path`, `notebook_path`, what other agents call them, and lists of them, at any depth. A path must fit one glob and none that begins with `!`. */
  readonly paths?: string | readonly string[];
  /** Regular expressions on the text of `command` or `cmd` as it is written. One must match. */
  readonly commands?: string | RegExp | readonly (string | RegExp)[];
  /** Regular expressions by field of the input. All must match; a field that is missing or not a text does not match. */
  readonly input?: Readonly<Record<string, string | RegExp>>;
}

/** The part of a tool call that a matcher sees. */
export interface ToolCallView {
  readonly name: string;
  /** The parsed arguments, of any shape. */
  readonly input: unknown;
}

/** What a matcher needs to know about files. Without it, paths are compared as they are written. */
export interface MatchEnvironment {
  /**
   * Follows links: takes a path (absolute if `cwd` is given) with its dots and links, and returns the absolute path of the file
   * that it leads to. It must also answer for files that do not exist yet. If it throws, so does `test`.
   */
  resolvePath?(path: string): string;
  /** The absolute folder where relative paths and globs start. */
  readonly cwd?: string;
  /**
   * The absolute home folders that `~` may mean, or `~name` if a name is given; none for an unknown user. In a glob, `~` means
   * the first.
   */
  homes?(name?: string): readonly string[];
  /** The variables that a tool may expand in a path such as `$HOME/.env`. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** A regular expression to test with; one with a time limit may throw. */
export interface RegexTester {
  test(text: string): boolean;
}

/**
 * Makes a tester of a valid regular expression. `flags` never holds `g` or `y`; `clause` says where the expression
 * stands (`tools`, `commands`, `input.url`).
 */
export type CompileRegex = (source: string, flags: string, clause: string) => RegexTester;

/** One condition of a compiled matcher. */
export interface Clause {
  /** Its name and patterns: `tools: get_*`. */
  readonly label: string;
  test(call: ToolCallView, environment: MatchEnvironment): boolean;
  /** Whether the call is surely this and nothing else, for allowing it. Absent: the same as `test`. */
  isAll?(call: ToolCallView, environment: MatchEnvironment): boolean;
  /** Why a call fails it: names of tools, fields and patterns, never values. Called only after `test` returned false. */
  mismatch(call: ToolCallView): string;
}
