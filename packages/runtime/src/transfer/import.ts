import type { OptionNames } from '@spec/hooks';
import { checkNewId, checkOptions } from '../given.ts';
import type { Store, ThreadRecord } from '../stores/store.ts';
import { badLine, type ExportText, type NumberedLine, readLines } from './lines.ts';
import { addLine, discard, endLines, finish, openSection, type Section } from './section.ts';

export interface ImportOptions {
  /** Names the writer, for the leases of the new threads. Default: a random UUID. */
  readonly owner?: string;
}

const optionNames: OptionNames<ImportOptions> = { owner: true };

/**
 * Stores the threads of an export, as they were: ids, times and order. Takes the text whole or in pieces of any length, such as those of
 * `exportThread` or of a file; bytes are UTF-8. All of it is imported or nothing; until the end the threads are terminated,
 * so that nobody goes on with half of one.
 * @returns The id of the first thread.
 * @throws {RunError} `invalid_input` with the number of the line, also where an id is taken
 */
export async function importThread(
  store: Store,
  text: ExportText,
  options: ImportOptions = {},
): Promise<string> {
  checkOptions('importThread', options, optionNames);
  const { owner = crypto.randomUUID() } = options;
  checkNewId('owner of an import', owner);
  const sections: Section[] = [];
  try {
    let last = 1;
    for await (const numbered of readLines(text)) {
      await take(numbered, { store, owner, sections });
      last = numbered.number;
    }
    const [first] = sections;
    if (first === undefined) throw badLine(2, 'there is no thread in the export');
    await endLines(sections.at(-1) ?? first, last + 1);
    for (const section of sections.toReversed()) await finish(section); // The first thread last: while it is terminated, the import is none.
    return first.record.id;
  } catch (error) {
    if (sections[0] !== undefined) await discard(sections[0]);
    throw error;
  }
}

interface Importing {
  readonly store: Store;
  readonly owner: string;
  /** One for each thread so far, the newest last. */
  readonly sections: Section[];
}

async function take({ number, line }: NumberedLine, { store, owner, sections }: Importing): Promise<void> {
  const current = sections.at(-1);
  if ('thread' in line) {
    if (current !== undefined) await endLines(current, number);
    refuseStranger(line.thread, number, sections);
    sections.push(await openSection({ store, owner, record: line.thread, line: number }));
  } else if (current === undefined) throw badLine(number, 'a thread must come before it');
  else await addLine(current, line, number);
}

/** The first thread stands alone, all others have their parent before them: no thread comes under one that is there, or under itself. */
function refuseStranger({ parentId }: ThreadRecord, number: number, sections: readonly Section[]): void {
  if (sections.length === 0 && parentId === null) return;
  if (sections.length === 0) throw badLine(number, 'the first thread must have no parent');
  if (sections.some(({ record }) => record.id === parentId)) return;
  throw badLine(number, 'its thread is no child of one before it');
}
