import { readFile } from 'node:fs/promises';

/** The first of some files that holds settings or rules: what was meant for `--config` stands among the recordings. */
export async function findConfigFile(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) if (await isConfigFile(file)) return file;
  return undefined;
}

async function isConfigFile(file: string): Promise<boolean> {
  if (/\.(?:ya?ml|[cm]?[jt]s)$/.test(file)) return true;
  if (!file.endsWith('.json')) return false;
  try {
    const content: unknown = JSON.parse(await readFile(file, 'utf8'));
    return ['hooks', 'rules'].some((field) => Object.hasOwn(Object(content), field));
  } catch {
    return false;
  }
}
