import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AnyHook, checkOptionNames, DefinitionError } from '@spec/hooks';
import { loadHooks, readRegularFile } from '@spec/hooks/node';
import { parse } from 'yaml';
import type { Skill, SkillLoader } from '../definitions/skill.ts';

/** The file of a skill, as it was read. */
export interface SkillFile {
  readonly name: string;
  /** The folder of the skill, with links followed. */
  readonly folder: string;
  /** Everything between the lines `---`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface SkillLoaderOptions {
  /** The folder that all skills are in. Nothing outside of it is loaded. */
  readonly folder: string | URL;
  /** Makes hooks of fields that are not of this format, such as rules. Without it a skill with `hooks` or `rules` is refused. */
  readonly hooksOf?: (skill: SkillFile) => readonly AnyHook[] | Promise<readonly AnyHook[]>;
}

/**
 * Loads skills from a folder: each has a `SKILL.md`, whose fields give it a `name` and whose text is its instructions, and
 * where it has a folder `hooks`, the hook modules in it. A skill is read once; changed files count after a restart.
 *
 * @returns for the option `skills` of `createRuntime`; the path of a skill is relative to the folder
 */
export function skillLoader(options: SkillLoaderOptions): SkillLoader {
  checkOptionNames('skillLoader', options, { folder: true, hooksOf: true });
  const { folder, hooksOf } = options;
  const root = typeof folder === 'string' ? resolve(folder) : fileURLToPath(folder);
  const loaded = new Map<string, Promise<Skill>>();
  return async (path) => {
    const found = await findFolder(root, path);
    const known = loaded.get(found.folder);
    if (known !== undefined) return known;
    const loading = readSkill(found, path, hooksOf);
    loaded.set(found.folder, loading);
    loading.catch(() => loaded.delete(found.folder));
    return loading;
  };
}

/** Folders with links followed: that of all skills, and that of one. */
interface SkillPlace {
  readonly within: string;
  readonly folder: string;
}

/** Where a skill is; a path may come from a model, and its hooks are code. @throws {DefinitionError} `bad_option` */
async function findFolder(root: string, path: string): Promise<SkillPlace> {
  const [within, folder] = await Promise.all([realpath(root), realpath(join(root, path))]).catch(() => {
    throw new DefinitionError('bad_option', `There is no skill "${path}" in ${root}.`);
  });
  if (isWithin(within, folder)) return { within, folder };
  throw new DefinitionError('bad_option', `The skill "${path}" is not inside the folder of skills, ${root}.`);
}

function isWithin(within: string, path: string): boolean {
  return path.startsWith(`${within}${sep}`);
}

/** What a skill consists of may be a link, too. @throws {DefinitionError} `bad_option` for one that leads out of the folder of skills */
async function findPart({ within, folder }: SkillPlace, part: string, path: string): Promise<string> {
  const found = join(folder, part);
  const real = await realpath(found).catch(() => found); // What is not there is told by whoever reads it.
  if (isWithin(within, real)) return real;
  throw new DefinitionError(
    'bad_option',
    `The ${part} of the skill "${path}" is not inside the folder of skills, ${within}.`,
  );
}

type HooksOf = NonNullable<SkillLoaderOptions['hooksOf']>;

async function readSkill(place: SkillPlace, path: string, hooksOf: HooksOf | undefined): Promise<Skill> {
  const { folder } = place;
  const fileName = `SKILL.md of the skill "${path}"`;
  const text = skillText(await findPart(place, 'SKILL.md', path), fileName);
  const { fields, body } = readFrontmatter(text, fileName);
  const name = checkName(fields.name, fileName);
  refuseMisspelt(fields, fileName);
  if (hooksOf === undefined) refuseGuards(fields, fileName);
  const modules = await findPart(place, 'hooks', path);
  const hooks = existsSync(modules) ? await loadHooks(modules) : [];
  return {
    name,
    instructions: body,
    hooks: [...hooks, ...((await hooksOf?.({ name, folder, fields })) ?? [])],
  };
}

/** Other fields are not examined: a guard in one of them would hold nothing, and nobody would be told. @throws {DefinitionError} `bad_definition` */
function refuseMisspelt(fields: SkillFile['fields'], fileName: string): void {
  for (const field of Object.keys(fields)) {
    const plain = `${field.trim().toLowerCase().replace(/s$/, '')}s`;
    if (field === plain || !GUARDS.includes(plain)) continue;
    throw bad(fileName, `has a field ${field}, which is not read. Write ${plain}`);
  }
}

/** Fields that hold what guards. */
const GUARDS: readonly string[] = ['hooks', 'rules'];

/** A guard that nobody makes would hold nothing. @throws {DefinitionError} `bad_definition` */
function refuseGuards(fields: SkillFile['fields'], fileName: string): void {
  const field = GUARDS.find((name) => Object.hasOwn(fields, name));
  if (field === undefined) return;
  const remedy = 'Give skillLoader the option hooksOf, such as skillRules() of @spec/rules';
  throw new DefinitionError(
    'bad_definition',
    `${fileName} has ${field}, of which nothing here makes hooks. ${remedy}.`,
  );
}

const MAX_BYTES = 1_048_576;

function skillText(file: string, place: string): string {
  try {
    return readRegularFile(file, MAX_BYTES).toString('utf8');
  } catch (error) {
    const why = (error as Error).message;
    throw new DefinitionError(
      'bad_definition',
      `${place} cannot be read: ${why}. A skill is a folder with that file.`,
    );
  }
}

function checkName(name: unknown, place: string): string {
  if (typeof name === 'string' && /^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return name;
  const rule = 'needs a field name of 1 to 64 lower-case letters, digits and hyphens';
  throw new DefinitionError('bad_definition', `${place} ${rule}.`);
}

/** A text with fields in front of it. */
interface FrontmatterText {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The fields end with a line of their own: a comment or a text that ends in `---` must not cut guards off. */
const FRONTMATTER = /^\ufeff?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/;

/**
 * Reads the YAML between the two lines `---` that open a text.
 *
 * @param place names the text in errors
 * @throws {DefinitionError} `bad_definition`
 */
function readFrontmatter(text: string, place: string): FrontmatterText {
  const found = FRONTMATTER.exec(text);
  if (found === null) throw bad(place, 'must begin with its fields between two lines "---"');
  const fields = parseFields(found[1] ?? '', place);
  return { fields, body: text.slice(found[0].length).trim() };
}

function parseFields(yaml: string, place: string): Record<string, unknown> {
  let fields: unknown;
  try {
    fields = parse(yaml);
  } catch {
    throw bad(place, 'has fields that are no YAML'); // What the parser says quotes the text.
  }
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
    return fields as Record<string, unknown>;
  throw bad(place, 'has fields that are no map of names to values');
}

function bad(place: string, what: string): DefinitionError {
  return new DefinitionError('bad_definition', `${place} ${what}.`);
}
