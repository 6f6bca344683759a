// A page of docs/cli for each command of spec-hooks, made of the command table.
import type { EventEmitter } from 'node:events';
import { createProgram } from '../packages/cli/src/program.ts';

type Command = ReturnType<typeof createProgram>;

/** A page, by its path below docs. */
export interface Page {
  readonly name: string;
  readonly text: string;
}

const NOTE = 'Generated from the command table by `scripts/generate-docs.ts`.';

/** All pages of docs/cli: the table of commands, and one for each of them. */
export function cliPages(): Page[] {
  const program = createProgram();
  const commands = commandsBelow(program, []);
  return [
    { name: 'cli/README.md', text: overview(program, commands) },
    ...commands.map((one) => ({ name: `cli/${nameFile(one)}`, text: renderPage(one) })),
  ];
}

interface Named {
  readonly command: Command;
  /** The names from the program down. */
  readonly path: readonly string[];
}

function commandsBelow(command: Command, path: readonly string[]): Named[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible
    .filter((one) => one.name() !== 'help')
    .flatMap((one) => {
      const own = [...path, one.name()];
      return [{ command: one, path: own }, ...commandsBelow(one, own)];
    });
}

const nameFile = ({ path }: Named): string => `${path.join('-')}.md`;
const fullName = ({ path }: Named): string => `spec-hooks ${path.join(' ')}`;

function overview(program: Command, commands: readonly Named[]): string {
  const rows = commands.map((one) => {
    const alias = one.command.aliases().map((name) => `, \`${name}\``);
    return `| [\`${one.path.join(' ')}\`](${nameFile(one)})${alias.join('')} | ${cell(sentence(one.command.description()))} |`;
  });
  return `# The command spec-hooks

${NOTE}

${sentence(program.description())} Every command takes \`--help\`; \`spec-hooks --debug <command>\` prints stack traces.

| command | |
|---|---|
${rows.join('\n')}
`;
}

function renderPage(named: Named): string {
  const { command } = named;
  const help = command.createHelp();
  const parts = [
    `# ${fullName(named)}`,
    NOTE,
    sentence(command.description()),
    aliasText(command),
    `\`\`\`text\n${help.commandUsage(command).replace(`|${command.alias()}`, '')}\n\`\`\``,
    termTable(
      'Arguments',
      help.visibleArguments(command).map((one) => [help.argumentTerm(one), help.argumentDescription(one)]),
    ),
    termTable(
      'Options',
      help.visibleOptions(command).map((one) => [help.optionTerm(one), help.optionDescription(one)]),
    ),
    ...readDetails(command).map(renderSection),
    '[All commands](README.md)',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function aliasText(command: Command): string {
  const names = command.aliases().map((name) => `\`${name}\``);
  return names.length === 0 ? '' : `Also called ${names.join(', ')}.`;
}

/** The paragraphs that stand behind the options in \`--help\`. */
function readDetails(command: Command): string[] {
  let text = '';
  const write = (part: string): void => {
    text += part;
  };
  (command as unknown as EventEmitter).emit('afterHelp', { error: false, command, write });
  return text
    .trim()
    .split(/\n{2,}(?=\S)/)
    .filter((part) => part !== '');
}

/** A paragraph, with a heading where its first line is one. */
function renderSection(paragraph: string): string {
  const [, head, rest] = /^([A-Z][^\n]{0,80}):\n([\s\S]+)$/.exec(paragraph) ?? [];
  if (/^Examples?$/.test(head ?? '') && rest !== undefined)
    return `## ${head}\n\n${fence('sh', renderExamples(rest))}`;
  if (head !== undefined && rest !== undefined) return `## ${head}\n\n${fence('text', unindented(rest))}`;
  const isLayout = /^ {2}|[{<]/m.test(paragraph);
  return isLayout ? fence('text', paragraph) : paragraph.replaceAll('\n', ' ');
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Commands, with what stands beside them as a comment. */
function renderExamples(text: string): string {
  return unindented(text).replace(/^\$ (.*?)(?: {2,}(\S.*))?$/gm, (_, line: string, what?: string) =>
    what === undefined ? line : `${line}  # ${what}`,
  );
}

function unindented(text: string): string {
  return text.replace(/^ {2}/gm, '').trimEnd();
}

function termTable(title: string, rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return '';
  const lines = rows.map(([term, text]) => `| \`${cell(term)}\` | ${cell(text)} |`);
  return `## ${title}\n\n| | |\n|---|---|\n${lines.join('\n')}`;
}

/** As Markdown reads it back: angle brackets and bars are meant as themselves. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.?$/, '.')}`;
}
