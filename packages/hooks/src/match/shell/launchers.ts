import { UNKNOWN } from './scan.ts';

/** How a command runs another one that follows it. */
export interface Launcher {
  /** How many of its own operands come before the command. */
  readonly operands: number;
  /** Without a command, it starts a shell that reads its input. */
  readonly startsShell?: true;
  /** Only after one of these words, such as `exec` of `docker`. */
  readonly behind?: RegExp;
}

const splitNames = (list: string): string[] => list.trim().split(/\s+/);

const rows = (list: string, launcher: Launcher): [string, Launcher][] =>
  splitNames(list).map((name) => [name, launcher]);

/** Commands that run the command after them. */
export const launchers: ReadonlyMap<string, Launcher> = new Map([
  ...rows(
    `arch builtin busybox bunx caffeinate catchsegv chpst command choom cpulimit daemonize dbus-launch dbus-run-session doas dumb-init
    eatmydata entr env exec firejail gdb hyperfine ionice ltrace mpirun nice nocorrect noglob nohup npx numactl parallel pkexec prlimit
    proxychains proxychains4 pv rlwrap run0 schedtool sem setpriv setsid softlimit srun ssh-agent start-stop-daemon stdbuf
    strace sudo systemd-inhibit systemd-run time tini torify torsocks toybox trap tsocks unbuffer uxterm valgrind watch watchexec
    xargs xterm xvfb-run`,
    { operands: 0 },
  ),
  ...rows(
    `chronic clush debconf debconf-apt-progress dsh dtach fab flatpak-spawn gpg-agent heaptrack ifne mussh
    nodemon parallel-ssh pdsh pssh sshpass systemd-nspawn tsp uvx xinit`,
    { operands: 0 },
  ),
  ...rows(
    `alacritty foot gnome-terminal kitty konsole lima lxc-attach lxterminal rxvt terminator tilix urxvt wsl xfce4-terminal`,
    { operands: 0 },
  ),
  ...rows(
    `abduco autoexpect box64 catatonit cargo-watch distrobox-host-exec dzdo empty env-cmd env_parallel envconsul fakechroot gdbserver
    host-spawn hwatch landrun lldb minijail0 multitime nq nsjail pfexec please poop qemu-aarch64 qemu-arm qemu-i386 qemu-x86_64 reflex
    rust-parallel sandbox-exec schroot summon super systemd-cat task-spooler ttyd ttyrec gotty viddy when-changed wine with-env xe`,
    { operands: 0 },
  ),
  ...rows(
    `aa-exec enosys gamemoderun keep-one-running optirun padsp pasuspender primusrun prime-run proxychains-ng retry run-one
    run-one-constantly run-one-until-failure run-one-until-success run-this-one timelimit cronic gksu kdesu st trickle tini-static uclampset winpty with-contenv
    coreutils sbase-box uutils x-terminal-emulator xcrun xdg-terminal-exec memusage msgexec msgfilter not pg_virtualenv prove sotruss systemd-socket-activate`,
    { operands: 0 },
  ),
  ...rows(
    `datefudge dockerize envchain envuidgid ksu lckdo rr runcon s6-envdir switch_root s6-setlock s6-setuidgid s6-softlimit setlock wait-for-it with-lock-ex`,
    { operands: 1 },
  ),
  // Any word may be the command: options have two values, or a new command follows each `;` or `[`.
  ...rows('bwrap pipexec', { operands: 64 }),
  ...rows('byobu screen tmux', { operands: 16 }),
  ...rows('hyprctl i3-msg jj nodenv swaymsg tox xdotool', { operands: 0, behind: /^exec$/ }),
  ...rows('fd fdfind', { operands: 0, behind: /^(?:-[xX]|--exec(?:-batch)?)$/ }),
  ...rows('just nix', { operands: 0, behind: /^(?:-c|--command)$/ }),
  ...rows('cmd', { operands: 0, behind: /^\/[ck]$/i }),
  ...rows('launchctl', { operands: 1, behind: /^(?:asuser|bsexec|submit)$/ }),
  ...rows('chamber consul etcdctl fnm n nvm saml2aws sops', {
    operands: 1,
    behind: /^(?:exec|exec-env|exec-file|lock|run|watch|--)$/,
  }),
  ...rows('bws devbox infisical pixi railway rustup teller volta', { operands: 1, behind: /^run$/ }),
  ...rows('buildah', { operands: 1, behind: /^(?:run|unshare)$/ }),
  ...rows('flox guix', { operands: 0, behind: /^--$/ }),
  ...rows('gcloud tailscale vagrant', { operands: 1, behind: /^ssh$/ }),
  ...rows('cargo', { operands: 0, behind: /^watch$/ }),
  ...rows('cmake', { operands: 2, behind: /^-E$/ }),
  ...rows('meson', { operands: 0, behind: /^devenv$/ }),
  ...rows('arch-chroot autossh cross-env cross-env-shell dotenv machinectl mosh onchange', { operands: 2 }),
  ...rows('salt salt-call salt-run salt-ssh', { operands: 0, behind: /(?:^|,)cmd\.|^(?:-\w*r|--raw)$/ }),
  ...rows('adb minikube lerna colima gh', { operands: 0, behind: /^(?:shell|ssh|exec)$/ }),
  ...rows('limactl tsh', { operands: 1, behind: /^(?:shell|ssh)$/ }),
  ...rows('knife', { operands: 1, behind: /^ssh$/ }),
  ...rows('pm2 pueue wezterm', { operands: 0, behind: /^(?:start|add)$/ }),
  ...rows('aws-okta aws-vault apptainer enroot singularity multipass nomad distrobox udocker', {
    operands: 1,
    behind: /^(?:exec|enter|run|start)$/,
  }),
  ...rows('bolt dotenvx doppler op heroku toolbox zellij', { operands: 0, behind: /^run$/ }),
  ...rows('concurrently pee mispipe start-server-and-test', { operands: 16 }),
  ...rows(`fakeroot i386 i486 i586 i686 linux32 linux64 nsenter proot uname26 unshare x86_64`, {
    operands: 0,
    startsShell: true,
  }),
  ...rows(
    'chrt logsave coproc cgexec envdir faketime flock gosu rsh setuidgid ssh su-exec taskset timeout plink dbclient',
    {
      operands: 1,
    },
  ),
  ...rows('chroot runuser script setarch sg newgrp su', { operands: 1, startsShell: true }),
  ...rows('npm pnpm yarn bun', { operands: 0, behind: /^(?:exec|x|dlx|run|run-script)$/ }),
  ...rows('uv poetry pipenv pdm rye hatch conda mamba micromamba', { operands: 1, behind: /^run$/ }),
  ...rows('bundle direnv asdf mise rbenv pyenv opam', { operands: 1, behind: /^(?:exec|x)$/ }),
  ...rows(
    'docker docker-compose podman nerdctl kubectl oc ctr lxc incus crictl nvidia-docker crun runc youki',
    {
      operands: 3,
      behind: /^(?:exec|run|debug|rsh|unshare)$/,
    },
  ),
  ...rows('ip', { operands: 1, behind: /^exec$/ }),
  ...rows('coresched', { operands: 0, behind: /^(?:new|exec)$/ }),
  ...rows('cset', { operands: 1, behind: /^(?:-e|--exec)$/ }),
  ...rows('runsc', { operands: 1, behind: /^(?:do|exec|run)$/ }),
  ...rows('trace-cmd', { operands: 0, behind: /^(?:record|start)$/ }),
  ...rows('snap', { operands: 1, behind: /^(?:run|--shell)$/ }),
  ...rows('jobs', { operands: 0, behind: /^-x$/ }),
  ...rows('perf', { operands: 0, behind: /^(?:stat|record|trace|mem)$/ }),
  ...rows('git', { operands: 1, behind: /^(?:foreach|run|-x|merge-index|remote-ext)$/ }),
]);

/** Shells, including restricted ones and those with a version in their name. */
export const SHELL: RegExp =
  /^-?(?:(?:r|b|d|z|k|y|c|tc|fi|pos|mk|lk|ok|pdk|rb|rk|rz|o)?a?sh|posh|rksh|elvish|nu|xonsh)(?:[-.]?\d[\d.]*)?$/;

/** Commands other than shells that read commands from their input. */
export const READS_COMMANDS: ReadonlySet<string> = new Set(
  splitNames('ssh rsh plink dbclient su runuser at batch sg newgrp source . parallel'),
);

/** Those that read it unless the line itself sends something to them. */
export const WAITS_FOR_COMMANDS: ReadonlySet<string> = new Set(splitNames('at batch parallel'));

/** Commands that add words to the end of what they run. */
export const ADDS_WORDS: ReadonlySet<string> = new Set(['xargs', 'parallel']);

/** Options whose value is a line for a shell, by command. A `!` before the line, or a shell word of the command's own language, is skipped. */
export const lineOptions: ReadonlyMap<string, RegExp> = new Map([
  ...splitNames('mapfile readarray complete compgen').map((name): [string, RegExp] => [name, /^-C$/]),
  ...splitNames('vi vim nvim view ex').map((name): [string, RegExp] => [name, /^(?:-c|--cmd)$/]),
  ...splitNames('gdb lldb').map((name): [string, RegExp] => [name, /^(?:-ex|-o|--eval-command)$/]),
  ...splitNames('su runuser script flock sg vagrant npx npm nix').map((name): [string, RegExp] => [
    name,
    /^-\w*c$/,
  ]),
  ['asciinema', /^-c$/],
  ...splitNames('fly flyctl').map((name): [string, RegExp] => [name, /^(?:-C|--command)$/]),
  ['fish', /^-C$/],
  ['git', /^-(?:c|x)$/],
  ['ansible', /^-a$/],
  ['cargo', /^-s$/],
  ['nodemon', /^-x$/],
  ...splitNames('chokidar mussh bpftrace').map((name): [string, RegExp] => [name, /^-c$/]),
  ['tsc-watch', /^--on[A-Z]\w*$/],
  ['nix-shell', /^--run$/],
  ['man', /^-P$/],
  ['strace', /^-o$/],
  ['tar', /^-I$/],
  ['rsync', /^-e$/],
  ['trap', /^--$/],
  ['bind', /^-x$/],
]);

/** Long options of any command whose name says that it runs their value. */
export const RUNS_ITS_VALUE: RegExp =
  /^--?(?:[\w-]*-)?(?:call|commands?|cmd|exec|execute|program|filter|rsh|shell|editor|pager|prog|action|viewer|entrypoint|hook|preview|renderer|run_under)$|^--on-[a-z-]+$/;

/** `ProxyCommand=…`, `core.pager=…`, `--checkpoint-action=exec=…`: settings whose value is run. */
export const RUNS_AS_SETTING: RegExp =
  /^[\w.-]*(?:=[\w.-]*)?(?:command|exec|program|pager|editor|filter|helper|external|cmd|action)=/i;

/** Commands that calculate or take names of variables: they run commands in an index. */
export const CALCULATES: ReadonlySet<string> = new Set(
  splitNames(
    'let declare typeset local export readonly test [ [[ printf read unset mapfile readarray wait getopts for select',
  ),
);

/** An index with a command in it, in a text without protecting quotes. */
const RUNS_IN_INDEX: RegExp = /^[^[]*\[[\s\S]*(?:\$\(|`)/;

/** Whether a command that calculates or takes names of variables may run another one in an index: `let 'a[$(cmd)]=1'`. */
export function runsInIndex(name: string, args: readonly string[]): boolean {
  return CALCULATES.has(name) && args.some((arg) => RUNS_IN_INDEX.test(arg));
}

/** Builtins that declare variables: they expand a list in their words once more. */
const DECLARES: ReadonlySet<string> = new Set(splitNames('declare typeset local export readonly'));

/** A list with a command in it, in a text without protecting quotes: `declare -a 'a=($(cmd))'`. */
const RUNS_IN_LIST: RegExp = /^[^=]*=\([\s\S]*(?:\$[({]|`|[<>]\()/;

/** Whether a builtin expands a text that only the shell knows, as a list, a number or a name: `declare -a "$x"`, `read "$1"`. */
function expandsUnknown(name: string, words: readonly string[]): boolean {
  const operands = words.slice(words.indexOf(name) + 1);
  const hasUnknown = (word: string): boolean => word.includes(UNKNOWN);
  if (name === 'read' || (name === 'printf' && operands[0]?.startsWith('-v')))
    return operands.slice(0, name === 'read' ? operands.length : 2).some(hasUnknown);
  if (!DECLARES.has(name)) return false;
  const expands = operands.some((word) => /^[-+]\w*[aAin]/.test(word));
  return operands.some((word) => hasUnknown(expands ? word : word.replace(/=[\s\S]*$/, '')));
}

/**
 * Finds words that a shell expands once more. Where it calculates or takes names of variables, it runs commands in an index, as in
 * `let 'a[$(cmd)]=1'`; where it declares variables, it runs those in a list.
 * @param prefix how many words come before the command's name
 */
export function runsInTexts(words: readonly string[], prefix: number): boolean {
  const own = words.slice(prefix);
  const names = RUNS_BUILTIN.test(own[0] ?? '') ? own : own.slice(0, 1);
  if (names.some((name) => expandsUnknown(name, own))) return true;
  const calculates = names.some((name) => CALCULATES.has(name));
  const declares = names.some((name) => DECLARES.has(name));
  return words.some(
    (word, at) =>
      (RUNS_IN_INDEX.test(word) && (at < prefix || calculates)) ||
      (at > prefix && declares && RUNS_IN_LIST.test(word)),
  );
}

/** What may stand before a builtin. */
const RUNS_BUILTIN = /^(?:builtin|command|coproc|time)$/;

/** Files whose content comes from the command's input or from another command. */
export const STREAM: RegExp = /^\/(?:dev\/(?:stdin|fd\/|tty)|proc\/)/;
