import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A real folder for one test. */
export interface ProjectFolder {
  readonly path: string;
  write(name: string, text: string): void;
  read(name: string): string;
  remove(name: string): void;
}

/** A folder with these files, objects as JSON; it is removed after the test. */
export function projectFolder(files: Readonly<Record<string, object | string>> = {}): ProjectFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'project-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  for (const [name, content] of Object.entries(files))
    write(name, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return {
    path,
    write,
    read: (name) => readFileSync(join(path, name), 'utf8'),
    remove: (name) => rmSync(join(path, name), { recursive: true }),
  };
}
