import { countColumns } from './fit-table.ts';
import { tableWidth } from './terminal-width.ts';

interface Layout {
  /** What each line begins with. */
  readonly indent?: string;
  /** Columns. Default: the terminal's; what goes to a file or another program is not wrapped. */
  readonly width?: number;
}

/** A text whose lines break at words, so that the terminal has to break none. */
export function writeParagraph(text: string, { indent = '', width = tableWidth() }: Layout = {}): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const [, blanks = '', rest = ''] = /^(\s*)(.*)$/s.exec(line) ?? [];
      const start = `${indent}${blanks}`;
      return wrapLine(rest, width - countColumns(start)).map((part) => `${start}${part}`);
    })
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const [, blanks = '', word = ''] of line.matchAll(/(\s*)(\S*)/g)) {
    const longer = `${current}${blanks}${word}`;
    if (current === '' || countColumns(longer) <= width) current = longer;
    else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current];
}
