import { conditionCommand } from '../dialect-traits.ts';
import { namedVariables, setsVariable } from '../dialects/nested/named-variables.ts';
import type { CommandEntry, Finding } from '../normal-form.ts';
import { isHandedOn } from '../run/environment.ts';

/** What dialects and the runner give to commands, and what shells set for themselves. */
const GIVEN =
  /^(?:CLAUDE_[A-Z0-9_]+|TOOL_NAME|INPUT|OUTPUT|PROMPT|TIMESTAMP|SESSION_ID|USER_NAME|PROJECT_ROOT|PLATFORM|AGENT_NAME|FILE_PATH|HOOK_INPUT_\w+|PWD|OLDPWD|PPID|SHLVL|IFS|PS[0-4]|OPTARG|OPTIND|REPLY|RANDOM|LINENO|SECONDS|UID|EUID|HOSTNAME)$/;

/**
 * Reports variables that are set where the agent runs, and that a command names without being given them: it finds them empty,
 * although they are there in a terminal.
 *
 * @param pass the names that are handed on besides those that every command gets
 */
export function reportWithheldVariables(
  entries: readonly CommandEntry[],
  pass: readonly string[] = [],
): Finding[] {
  return entries.flatMap((entry) =>
    withheldFrom(shellTextOf(entry), pass).map((name): Finding => {
      const message = `$${name} is set where the agent runs, and is not handed on: the command finds it empty. Name it in "pass", if the command may see it.`;
      return { level: 'warning', code: 'withheld_variable', place: entry.place, message };
    }),
  );
}

/** What a shell expands of an entry. */
function shellTextOf(entry: CommandEntry): string {
  const { handler } = entry;
  const line = handler.type === 'command' && handler.args === undefined ? handler.command : '';
  return `${conditionCommand(entry) ?? ''}\n${line}`;
}

function withheldFrom(text: string, pass: readonly string[]): string[] {
  return namedVariables(text).filter(
    (name) =>
      Boolean(process.env[name]) && !isHandedOn(name, pass) && !GIVEN.test(name) && !setsVariable(text, name),
  );
}
