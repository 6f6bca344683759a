import { join } from 'node:path';
import {
  type ConvertedFile,
  type ConvertedModules,
  convert,
  type DialectName,
  type Loss,
  parseSettings,
} from '@spec/commands';
import { DefinitionError } from '@spec/hooks';
import { pc } from '../colours.ts';
import { exitCodes } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { readText } from '../read-text.ts';
import { writeCount } from '../table.ts';
import { type NewFile, writeFiles } from '../write-files.ts';

/** The options of `spec-hooks convert`, as they were typed. */
export interface ConvertFlags {
  readonly to: DialectName | 'typescript';
  readonly from?: DialectName;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Converts a settings file, or standard input for `-`. Gives the exit code. */
export async function convertFile(
  file: string,
  { to, from, out, force = false, json }: ConvertFlags,
): Promise<number> {
  const name = file === '-' ? 'standard input' : file;
  const source = await readText(file, 'give a settings file, or - for standard input');
  const converted = convertText(source, { to, file: name, from });
  const { losses } = converted;
  if (out !== undefined) await writeFiles(makeFiles(converted, out), { force });
  if (json) process.stdout.write(`${JSON.stringify({ to, ...converted }, undefined, 2)}\n`);
  else {
    if (out === undefined) process.stdout.write(renderResult(converted));
    process.stderr.write(`${lossText(losses)}${out === undefined ? '' : `Written to ${out}.\n`}`);
  }
  const means = losses.some(({ level }) => level !== 'converted');
  return means ? exitCodes.findings : exitCodes.fine;
}

interface Wanted {
  readonly to: ConvertFlags['to'];
  readonly from: DialectName | undefined;
  /** As a person calls it. */
  readonly file: string;
}

/** @throws {DefinitionError} `bad_definition`: one sentence with the file, what keeps it from being converted, and the remedy */
function convertText(source: string, { to, from, file }: Wanted): ConvertedFile | ConvertedModules {
  const { settings, findings } = parseSettings(source, { file, layer: 'project' });
  const [finding] = findings;
  if (settings === undefined && finding !== undefined) {
    const { line, column } = finding.position;
    throw unread(`${file}:${line}:${column}: ${finding.message}`);
  }
  try {
    return convert(source, { to, file, ...(from === undefined ? {} : { from }) });
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    throw unread(error.message.replace(/: name it in `from`\.$/, '.'));
  }
}

function unread(why: string): DefinitionError {
  const remedy =
    'Give a settings file (JSON, with comments where it needs them), or say what format it has with --from.';
  return new DefinitionError('bad_definition', `${why} ${remedy}`);
}

function makeFiles(converted: ConvertedFile | ConvertedModules, out: string): NewFile[] {
  if ('content' in converted) return [{ path: out, text: renderResult(converted) }];
  return converted.modules.map(({ name, text: module }) => ({ path: join(out, name), text: module }));
}

function renderResult(converted: ConvertedFile | ConvertedModules): string {
  if ('content' in converted) return `${JSON.stringify(converted.content, undefined, 2)}\n`;
  return converted.modules.map(({ name, text: module }) => `// ${name}\n${module}`).join('\n');
}

const colours = { dropped: pc.red, changed: pc.yellow, converted: pc.dim };

function lossText(losses: readonly Loss[]): string {
  if (losses.length === 0) return 'Nothing was lost.\n';
  const alike = groupAlike(losses).map(renderLosses);
  const count = (level: Loss['level']): number => losses.filter((loss) => loss.level === level).length;
  return `${alike.join('')}${writeCount(count('dropped'), 'field')} dropped, ${count('changed')} changed, ${count('converted')} converted.\n`;
}

/** What is said of several entries in the same words, in the order in which it is said first. */
function groupAlike(losses: readonly Loss[]): readonly (readonly [Loss, ...Loss[]])[] {
  const groups = new Map<string, [Loss, ...Loss[]]>();
  for (const loss of losses) {
    const key = JSON.stringify([loss.level, loss.field, loss.message]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [loss]);
    else group.push(loss);
  }
  return [...groups.values()];
}

function renderLosses(alike: readonly [Loss, ...Loss[]]): string {
  const [{ level, field, message }] = alike;
  const places = alike.map(({ position }) => pc.dim(printable(renderPlace(position))));
  const [only] = places;
  const head = `${colours[level](level)}  ${printable(field)}  `;
  if (places.length === 1) return `${head}${only}\n  ${printable(message)}\n`;
  const list = places.map((position) => `    ${position}\n`).join('');
  return `${head}${writeCount(places.length, 'place')}\n  ${printable(message)}\n${list}`;
}

function renderPlace({ file, line, column, path }: Loss['position']): string {
  return `${file}:${line}:${column}${path === '' ? '' : ` ${path}`}`;
}
