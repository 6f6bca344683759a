/** Which tool calls a hook is for. A string is a tool pattern such as `Bash(git:*)`, see docs/matchers.md. */
export type Matcher = string | RegExp | MatcherObject;

/** Several conditions on one tool call: all that are given must hold. */
export interface MatcherObject {
  /** Tool patterns, or regular expressions on the tool's name; any of them. */
  readonly tools?: string | RegExp | readonly (string | RegExp)[];
  /** Globs on `file_path`, `path`, `notebook_path` and lists of such, at any depth; any of them, and none of those that begin with `!`. */
  readonly paths?: string | readonly string[];
  /** Regular expressions on the text of `command` or `cmd` as it is written; any of them. */
  readonly commands?: string | RegExp | readonly (string | RegExp)[];
  /** Regular expressions by field of the input; all of them. A field that is missing or no text does not match. */
  readonly input?: Readonly<Record<string, string | RegExp>>;
}

/** What a matcher sees of a tool call. */
export interface ToolCallView {
  readonly name: string;
  /** The parsed arguments, of any shape. */
  readonly input: unknown;
}

/** What a matcher needs to know about files. Without it paths are compared as they are written. */
export interface MatchEnvironment {
  /**
   * Follows links: gets an absolute path (where `cwd` is given) with its dots and links unresolved, gives the absolute
   * path of the file it leads to. Must answer for files that do not exist yet. An error it throws leaves `test`.
   */
  resolvePath?(path: string): string;
  /** The absolute folder that relative paths and globs start from. */
  readonly cwd?: string;
  /**
   * The absolute home folders that `~` may stand for, or `~name` where a name is given; none where there is no such user. The first is what
   * `~` in a glob means.
   */
  homes?(name?: string): readonly string[];
  /** The variables that a tool may fill into a path such as `$HOME/.env`. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** A regular expression ready to be tested; one that has a time limit may throw. */
export interface RegexTester {
  test(text: string): boolean;
}

/**
 * Makes a tester from a regular expression that was found valid. `flags` never hold `g` or `y`; `clause` says where it
 * stands (`tools`, `commands`, `input.url`).
 */
export type CompileRegex = (source: string, flags: string, clause: string) => RegexTester;

/** One condition of a compiled matcher. */
export interface Clause {
  /** Its name and patterns: `tools: get_*`. */
  readonly label: string;
  test(call: ToolCallView, environment: MatchEnvironment): boolean;
  /** Whether the call is surely this and nothing else, for who allows. Absent: where `test` says so. */
  isAll?(call: ToolCallView, environment: MatchEnvironment): boolean;
  /** Why a call fails it: names of tools, fields and patterns, never values. Asked only after `test` was false. */
  mismatch(call: ToolCallView): string;
}
