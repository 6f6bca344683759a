import { DefinitionError, nearest } from '@spec/hooks';
import { readFileText } from '../read-text.ts';

/** What a file for `--config` is. */
export type ConfigFileSort = 'settings' | 'rules';

const MODULE_OR_YAML = /\.(?:ya?ml|[cm]?[jt]s)$/;
const takes = '--config takes settings files, { "hooks": { … } }, and rule files, { "rules": [ … ] }';

/**
 * Tells settings files from rule files by what is in them, read as tolerantly as those who load them do. What nobody can parse is a
 * settings file, and refused where it is loaded.
 *
 * @param file there is one
 * @throws {DefinitionError} `bad_option` for a file that cannot be read; `bad_definition` for one that has neither hooks nor rules
 */
export async function findSortOfConfigFile(file: string): Promise<ConfigFileSort> {
  if (MODULE_OR_YAML.test(file)) return 'rules';
  if (file.endsWith('.toml')) return 'settings';
  const text = readFileText(file, 'give --config a settings or rule file');
  const content = await readContent(text.replace(/^\uFEFF/, ''));
  if (content === undefined) return 'settings';
  if (Array.isArray(content) || Object.hasOwn(content, 'rules')) return 'rules';
  if (Object.hasOwn(content, 'hooks') || (await hasEvents(file))) return 'settings';
  throw new DefinitionError(
    'bad_definition',
    `${file} has neither hooks nor rules, ${await foundIn(content)}`,
  );
}

/** As JSON, as JSON with comments, which settings files are, or as YAML, which the readers of rules take JSON for. */
async function readContent(text: string): Promise<object | undefined> {
  return (
    readObject(parsed(text, JSON.parse)) ??
    (await contentWithComments(text)) ??
    (await readContentOfYaml(text))
  );
}

async function contentWithComments(text: string): Promise<object | undefined> {
  const { parseSettings } = await import('@spec/commands');
  return parseSettings(text, { file: '', layer: 'project' }).settings?.content;
}

async function readContentOfYaml(text: string): Promise<object | undefined> {
  const { parse } = await import('yaml');
  return readObject(parsed(text, (yaml) => parse(yaml, { logLevel: 'silent' })));
}

function parsed(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function readObject(value: unknown): object | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** Some formats also take events without "hooks" around them: that is for their readers to say. */
async function hasEvents(file: string): Promise<boolean> {
  const { loadSettings } = await import('@spec/commands');
  const { findings, close } = await loadSettings([file]);
  await close();
  return !findings.some(({ code }) => code === 'no_hooks');
}

async function foundIn(content: object): Promise<string> {
  const keys = Object.keys(content);
  if (keys.length === 0) return `it is empty: ${takes}.`;
  const { eventNames } = await import('@spec/commands');
  const event = keys.find((key) => eventNames.includes(key));
  if (event !== undefined)
    return `but "${event}": put it into "hooks", as { "hooks": { "${event}": [ … ] } }.`;
  for (const key of keys) {
    const meant = nearest(key, ['hooks', 'rules']);
    if (meant !== undefined) return `but "${key}". Did you mean "${meant}"?`;
  }
  const names = keys.slice(0, 5).map((key) => `"${key}"`);
  const triggers = keys.includes('triggers') ? '; files of triggers are named in hooks.config.ts' : '';
  return `but ${names.join(', ')}${keys.length > 5 ? ', …' : ''}: ${takes}${triggers}.`;
}
