/** Long options of any command whose value is a program or line that it runs. */
const PROGRAM_OPTIONS: readonly string[] = [
  'checkpoint-action',
  'command',
  'compress-program',
  'config-env',
  'exec',
  'exec-batch',
  'exec-path',
  'extcmd',
  'filter',
  'hostname-bin',
  'info-script',
  'new-volume-script',
  'open-files-in-pager',
  'pager',
  'pre',
  'receive-pack',
  'rmt-command',
  'rsh',
  'rsh-command',
  'rsync-path',
  'split-string',
  'to-command',
  'toolexec',
  'upload-pack',
  'use-compress-program',
];

const COMPILERS: readonly string[] = [
  'gcc',
  'cc',
  'cpp',
  'g++',
  'c++',
  'clang',
  'clang++',
  'gfortran',
  'gnat',
  'c89',
  'c99',
];

/** Whether a command is a compiler: after `-wrapper` it takes a program with its arguments, separated by commas. */
export function isCompiler(name: string): boolean {
  return COMPILERS.includes(plainCompiler(name));
}

/** Without its version, and without the machine that it compiles for: `x86_64-linux-gnu-gcc-12`. */
function plainCompiler(name: string): string {
  return name.replace(/-[\d.]+$/, '').replace(/^[\w.-]*-(?=[a-z+]+$)/, '');
}

/** Wget reads the names of its settings without their dashes. */
const ASKPASS = Array.from('useaskpass').join('[-_]*');

/** Short options with the same meaning, by command or by command and subcommand. Their value or other options may be attached. */
const SHORT_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['git', /^(?:-[cOx]|ext::)/],
  ['git clone', /^-(?!-)\w*[cu]/],
  ['git grep', /^-(?!-)[A-Za-z]*O/],
  ['git rebase', /^-(?!-)[A-Za-z]*x/],
  ['env', /^-(?!-)\w*S/],
  ['tar', /^(?:-(?!-)\w*[FI]|[A-Za-z]*[FI][A-Za-z]*$)/],
  ['bsdtar', /^-(?!-)\w*I/],
  ['rsync', /^-(?!-)\w*e/],
  ['scp', /^-(?!-)\w*[DFSo]/],
  ['sftp', /^-(?!-)\w*[DFSbo]/],
  ['man', /^-(?:\w*[PH]|-ht)/],
  ['wget', new RegExp(`^--use-a|${ASKPASS}`, 'i')],
  ['install', /^--strip-/],
  ['diff3', /^--d/],
  ['sdiff', /^--d/],
  ['pip', /^--py/],
  ['mypy', /^--python-e/],
  ['uv', /^(?:-p|--python)/],
  ['npm', /^(?:-C|--(?:pre|node-|user|globalc))/],
  ['pnpm', /^--config\./],
  ['openssl', /^-(?:engine|provider)/],
  ['curl', /^--eng/],
  ['php', /^-(?!-)\w*z/],
  ['script', /^-(?!-)\w*c/],
  ['fd', /^-[xX]/],
  ['fdfind', /^-[xX]/],
  ['go', /^--?(?:exec|toolexec|vettool|overlay)|-ext(?:ld|ar)/],
  ['git difftool', /^-(?!-)\w*x/],
  ...COMPILERS.map((name): [string, RegExp] => [name, /^-(?:wrapper|fplugin|B)/]),
  ['zip', /^-(?!-)\w*T/],
  ['vi', /^(?:[-+]|!)/],
  ['vim', /^(?:[-+]|!)/],
  ['nvim', /^(?:[-+]|!)/],
  ['ex', /^(?:[-+]|!)/],
  ['ed', /^!/],
  ['make', /^-(?!-)\w*[fC]|^(?:SHELL|--eval)/],
  ['less', /^\+/],
  ['sed', /^-(?!-)\w*f|(?:^|[\d$/;{}!,]\s*|\/\w*)e(?:\s|$|[;}])/],
]);

const SUBCOMMANDS: readonly string[] = ['clone', 'difftool', 'grep', 'rebase'];

/**
 * Whether an option of a command may name another program to run. Long options may be shortened, so the start of one counts too.
 * @param own the words after the command's name
 */
export function namesAnotherProgram(name: string, own: readonly string[]): boolean {
  return programOptions(name, own).length > 0;
}

/** Those words among `own`. */
export function programOptions(name: string, own: readonly string[]): string[] {
  const keys = [
    isCompiler(name) ? plainCompiler(name) : name,
    name.replace(/-?[\d.]+$/, ''), // pip3.11
    ...SUBCOMMANDS.filter((one) => own.includes(one)).map((one) => `${name} ${one}`),
  ];
  const short = keys.flatMap((key) => SHORT_OPTIONS.get(key) ?? []);
  if (short.length === 0 && !own.some((word) => word.startsWith('--'))) return [];
  return own.filter((word) => {
    if (short.some((option) => option.test(word))) return true;
    const option = /^--([^=]+)/.exec(word)?.[1];
    return option !== undefined && PROGRAM_OPTIONS.some((one) => one.startsWith(option));
  });
}
