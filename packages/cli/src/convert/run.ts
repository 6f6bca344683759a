import { join } from 'node:path';
import {
  type ConvertedFile,
  type ConvertedModules,
  convert,
  type DialectName,
  type Loss,
} from '@spec/commands';
import pc from 'picocolors';
import { exitCodes } from '../exit-codes.ts';
import { readText } from '../read-text.ts';
import { countOf } from '../table.ts';
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
  const converted = convert(source, { to, file: name, ...(from === undefined ? {} : { from }) });
  const { losses } = converted;
  if (out !== undefined) await writeFiles(filesOf(converted, out), { force });
  if (json) process.stdout.write(`${JSON.stringify({ to, ...converted }, undefined, 2)}\n`);
  else {
    if (out === undefined) process.stdout.write(textOfResult(converted));
    process.stderr.write(`${lossText(losses)}${out === undefined ? '' : `Written to ${out}.\n`}`);
  }
  const means = losses.some(({ level }) => level !== 'converted');
  return means ? exitCodes.findings : exitCodes.fine;
}

function filesOf(converted: ConvertedFile | ConvertedModules, out: string): NewFile[] {
  if ('content' in converted) return [{ path: out, text: textOfResult(converted) }];
  return converted.modules.map(({ name, text: module }) => ({ path: join(out, name), text: module }));
}

function textOfResult(converted: ConvertedFile | ConvertedModules): string {
  if ('content' in converted) return `${JSON.stringify(converted.content, undefined, 2)}\n`;
  return converted.modules.map(({ name, text: module }) => `// ${name}\n${module}`).join('\n');
}

const colours = { dropped: pc.red, changed: pc.yellow, converted: pc.dim };

function lossText(losses: readonly Loss[]): string {
  if (losses.length === 0) return 'Nothing was lost.\n';
  const lines = losses.map(({ level, field, place, message }) => {
    const where = `${place.file}:${place.line}:${place.column}${place.path === '' ? '' : ` ${place.path}`}`;
    return `${colours[level](level)}  ${field}  ${pc.dim(where)}\n  ${message}\n`;
  });
  const count = (level: Loss['level']): number => losses.filter((loss) => loss.level === level).length;
  return `${lines.join('')}${countOf(count('dropped'), 'field')} dropped, ${count('changed')} changed, ${count('converted')} converted.\n`;
}
