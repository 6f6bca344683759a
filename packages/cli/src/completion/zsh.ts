import { below, type CompletedCommand, pathText, quoted, steps } from './table.ts';

/** The completion script of zsh, for its `fpath` or to be sourced. */
export function zshScript(table: readonly CompletedCommand[]): string {
  return `#compdef spec-hooks
# zsh completion for spec-hooks
_spec_hooks() {
  local command= word option=\${words[CURRENT-1]}
  local -a names options choices
  for word in \${words[2,CURRENT-1]}; do
    case "$command $word" in
${steps(table)}
    esac
  done
  if [[ $PREFIX == --*=* ]]; then
    option=\${PREFIX%%=*}
    compset -P 1 '*='
  fi
  case "$command $option" in
${table.flatMap(values).join('\n')}
  esac
  case "$command" in
${table.map((command) => own(command, table)).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe option options
    return
  fi
  for word in \${words[2,CURRENT-1]}; do
    (( \${choices[(Ie)$word]} )) && choices=()
  done
  (( $#names )) && _describe command names
  (( $#choices )) && compadd -- $choices
  (( $#names + $#choices )) || _files
}
if [[ "$funcstack[1]" == _spec_hooks ]]; then
  _spec_hooks "$@"
else
  compdef _spec_hooks spec-hooks
fi
`;
}

/** What follows an option that has a value. */
function values(command: CompletedCommand): string[] {
  return command.options.flatMap(({ flags, value }) => {
    if (value.takes === 'nothing') return [];
    const words = flags.map((flag) => quoted(`${pathText(command)} ${flag}`)).join('|');
    const suggest = {
      file: '_files; ',
      value: '',
      choice: value.takes === 'choice' ? `compadd -- ${value.choices.map(quoted).join(' ')}; ` : '',
    }[value.takes];
    return [`    ${words}) ${suggest}return ;;`];
  });
}

function own(command: CompletedCommand, table: readonly CompletedCommand[]): string {
  const names = below(table, command).map(({ names: [name = ''], description }) =>
    described(name, description),
  );
  const options = command.options.flatMap(({ flags, description }) =>
    flags.map((flag) => described(flag, description)),
  );
  const choices = command.choices.map(quoted);
  return `    ${quoted(pathText(command))})
      names=(${names.join(' ')})
      options=(${options.join(' ')})
      choices=(${choices.join(' ')}) ;;`;
}

function described(word: string, description: string): string {
  return quoted(`${word.replaceAll(':', '\\:')}:${description}`);
}
