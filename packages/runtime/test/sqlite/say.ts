import { writeSync } from 'node:fs';
import { sleep } from '../../src/stores/sqlite/file/patience.ts';

/** Writes a line to standard output, at once and whole. */
export function say(line: string | number): void {
  for (let rest = `${line}\n`; rest !== ''; ) rest = rest.slice(writeSome(rest));
}

/** The reader may be busy and its pipe full. */
function writeSome(text: string): number {
  try {
    return writeSync(1, text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    sleep(5);
    return 0;
  }
}
