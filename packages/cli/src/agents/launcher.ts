import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HookScope } from '../agent-state/places.ts';
import { quote, readLocalFile, writeLocalFile } from '../hook/local-file.ts';

/** Says nothing of the machine: it can be shared with the project. */
const text = `#!/bin/sh
# Runs the hooks of this folder in a coding agent: hook AGENT EVENT [ANSWER]
# Made by "spec-hooks install". ANSWER is printed where the hooks cannot be asked, so that a guard that is broken lets nothing pass.
here=$(cd "$(dirname "$0")" && pwd -P) || { printf '%s' "$3"; exit 0; }
root=__ROOT__
[ -f "$here/local" ] && . "$here/local"
case " $KNOWN " in *" $1 "*) case " $GUARDS " in *" $1:$2 "*) ;; *) set -- "$1" "$2" ;; esac ;; esac
[ -x "$NODE" ] || NODE=$(command -v node)
up=$here
while [ ! -f "$CLI" ] && [ "$up" != / ] && [ -n "$up" ]; do
  up=\${up%/*}
  CLI=$up/node_modules/@spec/cli/dist/main.mjs
done
[ -n "$NODE" ] && [ -f "$CLI" ] || { cat > /dev/null; printf '%s' "$3"; exit 0; }
{ answer=$("$NODE" "$CLI" hook --launcher --agent "$1" --event "$2" __PLACE__); code=$?; } 2> /dev/null
case $code in
  0) printf '%s' "$answer" ;;
  2) printf '%s' "$answer" >&2; exit 2 ;;
  *) printf '%s' "$3" ;;
esac
`;

/** Writes the launcher, and what it finds on this machine. @param folder where it stands */
export function writeLauncher(folder: string, scope: HookScope): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const place = scope === 'project' ? '--root "$root"' : '';
  const root = scope === 'project' ? '$(dirname "$here")' : '$here';
  const file = join(folder, 'hook');
  writeFileSync(file, text.replace('__PLACE__', place).replace('__ROOT__', root));
  chmodSync(file, 0o755);
  const ignore = join(folder, '.gitignore');
  if (scope === 'project' && !existsSync(ignore)) writeFileSync(ignore, 'local\nlocal.*.tmp\n');
  const guards = readLocalFile(folder)?.guards ?? {};
  writeLocalFile(folder, { node: process.execPath, cli: ownProgram(), guards });
}

/** The program that runs now. */
export function ownProgram(): string {
  const [, started = ''] = process.argv;
  const built = join(dirname(fileURLToPath(import.meta.url)), 'main.mjs');
  return existsSync(built) ? built : started;
}

/** The command of an entry: it answers by itself where the launcher is gone. */
export function writeCommand(
  launcher: string,
  { agent, event, denial }: { readonly agent: string; readonly event: string; readonly denial: string },
): string {
  const call = `[ -x "$h" ] && exec "$h" ${agent} ${event}`;
  if (denial === '') return `${launcher}; ${call}; :`;
  return `${launcher}; a=${quote(denial)}; ${call} "$a"; printf %s "$a"`;
}
