import { below, type CompletedCommand, type CompletedOption } from './table.ts';

/** The completion script of fish. */
export function fishScript(table: readonly CompletedCommand[]): string {
  const lines = table.flatMap((command) => {
    const when = writeCondition(command, table);
    const inner = below(table, command).map(
      ({ names, description }) =>
        `${START} ${when} -f -a ${quoted(names.join(' '))} -d ${quoted(description)}`,
    );
    const choices =
      command.choices.length === 0
        ? []
        : [choicesText(command.choices, writeCondition(command, table, command.choices))];
    return [
      ...inner,
      ...choices,
      ...command.options.map((option) => `${START} ${when} ${optionText(option)}`),
    ];
  });
  return `# fish completion for spec-hooks\n${lines.join('\n')}\n`;
}

const START = 'complete -c spec-hooks';

function choicesText(choices: readonly string[], when: string): string {
  return `${START} ${when} -f -a ${quoted(choices.join(' '))}`;
}

/** Fish knows which words were typed: those of the path, and none of a command below, or of what can be chosen once. */
function writeCondition(
  command: CompletedCommand,
  table: readonly CompletedCommand[],
  chosen: readonly string[] = [],
): string {
  const inner = [...below(table, command).flatMap(({ names }) => names), ...chosen];
  const without = inner.length === 0 ? [] : [`not __fish_seen_subcommand_from ${inner.join(' ')}`];
  const seen = command.path.map((_, depth) => {
    const one = table.find(({ path }) => path.join(' ') === command.path.slice(0, depth + 1).join(' '));
    return `__fish_seen_subcommand_from ${one?.names.join(' ')}`;
  });
  return `-n ${quoted([...seen, ...without].join('; and '))}`;
}

function optionText({ flags, description, value }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const takes = {
    nothing: '',
    file: ' -r -F',
    value: ' -x',
    choice: value.takes === 'choice' ? ` -x -a ${quoted(value.choices.join(' '))}` : '',
  }[value.takes];
  return `${names.join(' ')}${takes} -d ${quoted(description)}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
