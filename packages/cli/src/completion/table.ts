import type { Argument, Command, Option } from 'commander';
import type { ValueNames } from '../value-names.ts';

/** What may follow an option, or stand as an argument. */
export type Completed =
  /** No value. */
  | { readonly takes: 'nothing' }
  | { readonly takes: 'file' }
  | { readonly takes: 'value' }
  | { readonly takes: 'choice'; readonly choices: readonly string[] };

/** An option as shells need it. */
export interface CompletedOption {
  /** With their dashes. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly value: Completed;
}

/** A command as shells need it. */
export interface CompletedCommand {
  /** The names of the command and of those above it; empty for the program. */
  readonly path: readonly string[];
  /** Its own names: the name, then its aliases. */
  readonly names: readonly string[];
  readonly description: string;
  readonly options: readonly CompletedOption[];
  /** What its arguments can be, where that is a choice. */
  readonly choices: readonly string[];
}

/** All commands that a person sees, the program first. @param names what values can be, by the word that stands for them in the usage */
export function commandTable(program: Command, names: ValueNames): CompletedCommand[] {
  return tableFrom(program, [], names);
}

function tableFrom(command: Command, path: readonly string[], names: ValueNames): CompletedCommand[] {
  const help = command.createHelp();
  const own: CompletedCommand = {
    path,
    names: [command.name(), ...command.aliases()],
    description: command.description(),
    options: help.visibleOptions(command).map((option) => makeOption(option, names)),
    choices: command.registeredArguments.flatMap((argument) => findChoices(argument, names)),
  };
  const below = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  return [own, ...below.flatMap((one) => tableFrom(one, [...path, one.name()], names))];
}

function findChoices(argument: Argument, names: ValueNames): readonly string[] {
  return argument.argChoices ?? names[argument.name()] ?? [];
}

function makeOption(option: Option, names: ValueNames): CompletedOption {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  return { flags, description: option.description, value: takenBy(option, names) };
}

function takenBy({ flags, argChoices, required, optional }: Option, names: ValueNames): Completed {
  const choices = argChoices ?? names[/[<[](\w+)/.exec(flags)?.[1] ?? ''];
  if (choices !== undefined) return { takes: 'choice', choices };
  if (!required && !optional) return { takes: 'nothing' };
  return { takes: /[<[](?:file|path|dir|folder|db|module)/.test(flags) ? 'file' : 'value' };
}

/** The commands right below a command. */
export function below(table: readonly CompletedCommand[], { path }: CompletedCommand): CompletedCommand[] {
  return table.filter(
    (one) => one.path.length === path.length + 1 && path.every((name, i) => one.path[i] === name),
  );
}

/** A path of commands as scripts keep it: `/log/show`. */
export function pathText({ path }: CompletedCommand): string {
  return path.map((name) => `/${name}`).join('');
}

/** A text as one word of sh, bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The lines of a `case` in which a word leads from one command to one below it. */
export function steps(table: readonly CompletedCommand[]): string {
  const lines = table.flatMap((command) =>
    below(table, command).map((one) => {
      const words = one.names.map((name) => quoted(`${pathText(command)} ${name}`));
      return `      ${words.join('|')}) command=${quoted(pathText(one))} ;;`;
    }),
  );
  return lines.join('\n');
}
