import { readFileText } from '../read-text.ts';

/** The launcher that the entries of `spec-hooks install` call. */
export const LAUNCHER = '.spec-hooks/hook';

/** Whether all commands in a settings file are entries of `spec-hooks install`: they run the hooks of this project, and are none themselves. */
export function holdsOwnEntriesAlone(path: string): boolean {
  let text: string;
  try {
    text = readFileText(path, '');
  } catch {
    return false;
  }
  const commands = Array.from(text.matchAll(COMMAND), ([, command = '']) => command);
  return commands.length > 0 && commands.every((command) => OWN.test(command.replaceAll('\\"', '"')));
}

/** Whether the configuration of an agent has an entry that calls the launcher. */
export function callsLauncher(path: string, agent: string): boolean {
  try {
    return readFileText(path, '').replaceAll('\\"', '"').includes(`exec "$h" ${agent} `);
  } catch {
    return false;
  }
}

/** All of what is written there, and nothing beside it: another command must not hide behind the name of the launcher. */
const OWN =
  /^(?:r=\$\()?h="\$\{[A-Z_]+:-\.\}\/\.spec-hooks\/hook"; (?:a='[^']*'; )?\[ -x "\$h" \] && exec "\$h" [a-z-]+ [A-Za-z]+(?: "\$a"; printf %s "\$a"|; :)(?:\); c=\$\?; \[ -n "\$r" \] \|\| r='\{\}'; printf %s "\$r"; exit \$c)?$/;

/** Without parsing it: the answers to the events of agents come this way, and wait for nothing that they do not need. */
const COMMAND = /"command"\s*:\s*"((?:[^"\\]|\\.)*)"/g;
