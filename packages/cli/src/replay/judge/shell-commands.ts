import { readShellLine, type ShellStep } from '@spec/hooks';

/** One command that a line runs, also behind `sudo`, in `bash -c` or in `$( )`. */
export interface RunCommand {
  /** Its name without folders. */
  readonly name: string;
  /** What follows it; `\uFFFF` stands for what only the shell will know. */
  readonly args: readonly string[];
  /** The files that it reads by `<`. */
  readonly inputs: readonly string[];
  /** The command that writes its input, where it stands in a pipe. */
  readonly pipedFrom: string | undefined;
}

/** Lines in lines are read so deep; real ones have one. */
const DEEPEST = 4;
/** A longer line is not read: scripts of this length are data. */
const LONGEST = 65_536;

/** The commands that a line runs for certain; none where it cannot be read. */
export function listCommands(line: string, depth = 0): RunCommand[] {
  if (depth > DEEPEST || line.length > LONGEST) return [];
  return listInSteps(readShellLine(line, expand)?.steps ?? [], depth);
}

/** The home folder and patterns of file names stay as they are written. */
function expand(part: string): string | undefined {
  if (part === '$HOME' || part === `\${HOME}`) return '~';
  return part === '*' || part === '~' ? part : undefined;
}

function listInSteps(steps: readonly ShellStep[], depth: number): RunCommand[] {
  return steps.flatMap((step, i) => {
    const { words, prefix, runs, inside, before, redirections } = step;
    const own = words.slice(prefix);
    const isPiped = before === '|' || before === '|&';
    const pipedFrom = isPiped ? readName(steps[i - 1]) : undefined;
    const inputs = redirections.filter(({ operator }) => operator === '<').map(({ target }) => target);
    const commands = runs.starts.map((start) => ({
      name: baseName(own[start]),
      args: own.slice(start + 1),
      inputs,
      pipedFrom,
    }));
    const lines = runs.lines.flatMap((line) => listCommands(line, depth + 1));
    return [...listInSteps(inside, depth), ...commands, ...lines];
  });
}

function readName(step: ShellStep | undefined): string | undefined {
  return step && baseName(step.words[step.prefix]);
}

function baseName(word = ''): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
