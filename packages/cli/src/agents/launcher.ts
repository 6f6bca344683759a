import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExecutable } from '@spec/hooks/node';
import { findSocketPath, type HookScope } from '../agent-state/places.ts';
import { quote, readLocalFile, writeLocalFile } from '../hook/local-file.ts';
import { powershellText } from './powershell.ts';

/**
 * Says nothing of the machine: it can be shared with the project. It asks the daemon, and starts nothing for that but curl, which reads nothing
 * before it is connected: until then the cold way can still answer. Codes of curl: 1 to 4, 126, 127 it cannot do that; 7 nobody listens; 28 the time is over.
 */
const text = `#!/bin/sh
# Runs the hooks of this folder in a coding agent: hook AGENT EVENT [ANSWER]
# Made by "spec-hooks install". ANSWER is printed where the hooks cannot be asked, so that a guard that is broken lets nothing pass.
NODE= CLI= HERE= SOCKET= CURL= KNOWN= GUARDS=
give_up() { cat > /dev/null 2>&1; printf '%s' "$1"; exit 0; }
CDPATH= cd -P "\${0%/*}" 2> /dev/null || give_up "$3"
here=$PWD
root=__ROOT__
[ -f ./local ] && . ./local
case " $KNOWN " in *" $1 "*) case " $GUARDS " in *" $1:$2 "*) ;; *) set -- "$1" "$2" ;; esac ;; esac
[ "$HERE" = "$here" ] && [ -x "$CURL" ] || SOCKET=
if [ -S "$SOCKET" ] && [ -O "$SOCKET" ] && [ -O "\${SOCKET%/*}" ]; then
  answer=$("$CURL" -q -s --noproxy '*' --unix-socket "$SOCKET" -m 28 -H Expect: -T - -w '%{http_code}' "http://hooks/$1/$2" 2> /dev/null)
  case $? in
    0) case $answer in
      *200) printf '%s' "\${answer%???}"; exit 0 ;;
      *202) printf '%s' "\${answer%???}" >&2; exit 2 ;;
      *) give_up "$3" ;;
    esac ;;
    [1-4] | 7 | 126 | 127) ;;
    28) rm -f "$SOCKET"; give_up "$3" ;;
    *) give_up "$3" ;;
  esac
fi
[ -x "$NODE" ] || NODE=$(command -v node)
up=$here
while [ ! -f "$CLI" ] && [ "$up" != / ] && [ -n "$up" ]; do
  up=\${up%/*}
  CLI=$up/node_modules/@spec/cli/dist/main.mjs
done
[ -n "$NODE" ] && [ -f "$CLI" ] || give_up "$3"
{ answer=$("$NODE" "$CLI" hook --launcher --socket "$SOCKET" --agent "$1" --event "$2" __PLACE__); code=$?; } 2> /dev/null
case $code in
  0) printf '%s' "$answer" ;;
  2) printf '%s' "$answer" >&2; exit 2 ;;
  *) printf '%s' "$3" ;;
esac
`;

/** Where a launcher stands, and the folder whose hooks it runs, absolute. */
interface LauncherPlace {
  readonly scope: HookScope;
  readonly folder: string;
  readonly root: string;
}

/** Writes the launcher, and what it finds on this machine. */
export function writeLauncher({ folder, scope, root }: LauncherPlace): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const file = join(folder, 'hook');
  writeFileSync(file, writeText(scope));
  chmodSync(file, 0o755);
  const place = scope === 'project' ? "@('--root', (Split-Path -Parent $PSScriptRoot))" : '@()';
  writeFileSync(join(folder, 'hook.ps1'), powershellText.replace('__PLACE__', place));
  const ignore = join(folder, '.gitignore');
  if (scope === 'project' && !existsSync(ignore)) writeFileSync(ignore, 'local\nlocal.*.tmp\n');
  const guards = readLocalFile(folder)?.guards ?? {};
  writeLocalFile(folder, {
    ...{ node: process.execPath, cli: ownProgram(), here: realpathSync(folder) },
    ...{ socket: findSocketPath(root) ?? '', curl: findProgram('curl') ?? '', guards },
  });
}

function writeText(scope: HookScope): string {
  const isProject = scope === 'project';
  return text
    .replace('__PLACE__', isProject ? '--root "$root"' : '')
    .replace('__ROOT__', isProject ? '$' + '{here%/*}' : '$here');
}

/** The program that runs now. */
export function ownProgram(): string {
  const [, started = ''] = process.argv;
  const built = join(dirname(fileURLToPath(import.meta.url)), 'main.mjs');
  return existsSync(built) ? built : started;
}

function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
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
