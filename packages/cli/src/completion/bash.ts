import { below, type CompletedCommand, pathText, quoted, steps } from './table.ts';

/** The completion script of bash. Where nothing is suggested, bash completes files. */
export function bashScript(table: readonly CompletedCommand[]): string {
  return `# bash completion for spec-hooks
_spec_hooks() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= words= options= i
  COMPREPLY=()
  [[ $cur == = ]] && cur=
  [[ $prev == = ]] && prev=\${COMP_WORDS[COMP_CWORD-2]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command \${COMP_WORDS[i]}" in
${steps(table)}
    esac
  done
  case "$command $prev" in
${table.flatMap(values).join('\n')}
  esac
  case "$command" in
${table.map((command) => own(command, table)).join('\n')}
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ " $words " == *" \${COMP_WORDS[i]} "* ]] && words=
  done
  [[ $cur == -* ]] && words=$options
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _spec_hooks spec-hooks
`;
}

/** What follows an option that has a value. */
function values(command: CompletedCommand): string[] {
  return command.options.flatMap(({ flags, value }) => {
    if (value.takes === 'nothing') return [];
    const words = flags.map((flag) => quoted(`${pathText(command)} ${flag}`)).join('|');
    if (value.takes !== 'choice') return [`    ${words}) return ;;`];
    return [
      `    ${words}) COMPREPLY=($(compgen -W ${quoted(value.choices.join(' '))} -- "$cur")); return ;;`,
    ];
  });
}

function own(command: CompletedCommand, table: readonly CompletedCommand[]): string {
  const words = [...below(table, command).flatMap(({ names }) => names), ...command.choices];
  const options = command.options.flatMap(({ flags }) => flags);
  return `    ${quoted(pathText(command))}) words=${quoted(words.join(' '))} options=${quoted(options.join(' '))} ;;`;
}
