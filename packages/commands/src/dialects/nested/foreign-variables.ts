import { nearest } from '@spec/hooks';
import { neededVariables, setsVariable } from './named-variables.ts';
import type { Path, Report } from './report.ts';

/** Variables in which the commands of a format get their input. */
const KNOWN =
  /^(?:TOOL_NAME|INPUT|OUTPUT|PROMPT|SESSION_ID|USER_NAME|PROJECT_ROOT|AGENT_NAME|FILE_PATH|(?:CLAUDE|QWEN|GEMINI|FACTORY|DROID|CURSOR|COPILOT)_[A-Z0-9_]+)$/;

/** The variables that a format gives its commands. */
export interface GivenVariables {
  readonly names: readonly string[];
  /** Where the rest is, as the end of a sentence. */
  readonly instead: string;
}

/** Reports variables in a command that its format does not give it: of another format, or misspelt. */
export function reportForeignVariables(
  command: string,
  path: Path,
  { report, names, instead }: GivenVariables & { readonly report: Report },
): void {
  for (const name of neededVariables(command)) {
    if (setsVariable(command, name) || names.includes(name)) continue;
    const meant = nearest(name, names);
    if (KNOWN.test(name))
      report.warning(
        'unknown_variable',
        path,
        `$${name} is a variable of another format, and is empty here. ${instead}`,
      );
    else if (meant !== undefined)
      report.warning(
        'unknown_variable',
        path,
        `$${name} is no variable of this format. Did you mean $${meant}?`,
      );
  }
}
