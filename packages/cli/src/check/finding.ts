/** Something that `check` has to say. */
export interface CheckFinding {
  /**
   * `error`: something is not loaded, or does not run. `warning`: it does not do what it says. `risk`: it does what it says, and by the rules
   * of its format that may not be enough. `note`: worth knowing.
   */
  readonly level: 'error' | 'warning' | 'risk' | 'note';
  /** snake_case: `duplicate_id`, `no_such_tool`, `fails_open`, … */
  readonly code: string;
  readonly file: string | null;
  /** From 1. */
  readonly line: number | null;
  readonly column: number | null;
  /** Which entry of the file: an id, or a path such as `hooks.PreToolUse[0]`. */
  readonly entry: string | null;
  /** What, and what to do. */
  readonly message: string;
}

/** A finding without what nobody knows. */
export type FindingInput = Pick<CheckFinding, 'level' | 'code' | 'message'> &
  Partial<Pick<CheckFinding, 'file' | 'line' | 'column' | 'entry'>>;

export function finding(given: FindingInput): CheckFinding {
  const { level, code, file = null, line = null, column = null, entry = null, message } = given;
  return { level, code, file, line, column, entry, message };
}

/** File, line and column of a place as it is written, such as `rules.yaml:12`. */
export function readPosition(
  text: string | null | undefined,
): Pick<FindingInput, 'file' | 'line' | 'column'> {
  const [, file, line, column] = /^(.*?):(\d+)(?::(\d+))?$/.exec(text ?? '') ?? [];
  if (file === undefined) return { file: text ?? null };
  return { file, line: Number(line), column: column === undefined ? null : Number(column) };
}
