import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A real folder for one test. */
export interface TemporaryFolder {
  readonly path: string;
  /** Writes a file in place. */
  write(name: string, text: string): void;
  /** Writes a file as careful editors do: beside it, then renamed over it. */
  replace(name: string, text: string): void;
  link(name: string, target: string): void;
  remove(name: string): void;
}

/** A folder with these files, removed after the test. */
export function temporaryFolder(files: Readonly<Record<string, string>> = {}): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'hooks-')));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write,
    replace(name, text) {
      write(`.${name}.tmp`, text);
      renameSync(join(path, `.${name}.tmp`), join(path, name));
    },
    link: (name, target) => symlinkSync(target, join(path, name)),
    remove: (name) => rmSync(join(path, name), { recursive: true }),
  };
}

/** The text of a hook module. */
export function hookModule(id: string, content = 'async (state, messages) => messages'): string {
  return `import { defineHook } from '@spec/hooks';

export default defineHook({
  hook: 'filter_messages',
  id: '${id}',
  execute: ${content},
});
`;
}
