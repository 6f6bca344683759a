import { dialectNames, type Effect, type Hardening, type Layer, type SettingsSource } from '@spec/commands';
import { type AnyHook, DefinitionError, isHook, nearest, type ScopeOwner } from '@spec/hooks';
import { z } from 'zod';
import type { HooksConfig } from './hooks-config.ts';

const path = z.string('a path').min(1, 'a path');
const name = z.string('a name').min(1, 'a name');

/** One may stand for a list of one. */
const paths = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(path, 'a path, or a list of paths'),
);

const policies = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(
    z.custom<string | AnyHook>(
      (value) => (typeof value === 'string' && value !== '') || isHook(value),
      'the path of a folder, or a hook that defineHook made',
    ),
    'a path, or a list of paths and hooks',
  ),
);

const layers: Readonly<Record<Layer, true>> = { user: true, project: true, local: true };
const effects: Readonly<Record<Effect, true>> = { continue: true, ask: true, block: true };

function makeEnum(names: readonly string[]): z.ZodOptional<z.ZodEnum> {
  return z.enum(names, `one of ${names.join(', ')}`).optional();
}

const source: Fields<SettingsSource> = {
  file: z.custom((value) => (typeof value === 'string' && value !== '') || value instanceof URL, 'a path'),
  layer: makeEnum(Object.keys(layers)),
  dialect: makeEnum(dialectNames),
};

const settings = z.array(
  z.preprocess(
    (value) => (typeof value === 'string' ? { file: value } : value),
    z.strictObject(source, 'a path, or { file: a path }'),
  ),
  'a list of settings files',
);

const owner: Fields<ScopeOwner> = { name, hooks: z.array(name, 'a list of ids of hooks').optional() };

const hardening: Fields<Hardening> = {
  onTimeout: makeEnum(Object.keys(effects)),
  onExit: makeEnum(Object.keys(effects)),
  onLaunchError: makeEnum(Object.keys(effects)),
  onInvalidOutput: makeEnum(Object.keys(effects)),
};

type Fields<T> = Readonly<Record<keyof T, z.ZodType>>;

const fields: Fields<HooksConfig> = {
  hooks: paths.optional(),
  policies: policies.optional(),
  settings: settings.optional(),
  rules: paths.optional(),
  triggers: paths.optional(),
  store: path.optional(),
  tools: z.array(name, 'a list of names of tools').optional(),
  agents: z
    .array(z.looseObject(owner, '{ name, hooks }'), 'a list of agents and prompts, { name, hooks }')
    .optional(),
  harden: z.strictObject(hardening, `{ ${Object.keys(hardening).join(', ')} }`).optional(),
  pass: z.array(name, 'a list of names of variables').optional(),
  allowedHosts: z.array(name, 'a list of names of hosts').optional(),
  trust: path.optional(),
};

const shape = z.strictObject(fields);

/** @throws {DefinitionError} `bad_definition`: a sentence for each thing that a configuration must not hold, and what to write */
export function checkedConfig(config: unknown, file: string): HooksConfig {
  if (describeSort(config) !== 'an object') {
    const rule = 'must export an object as its default: export default defineConfig({ … })';
    throw new DefinitionError('bad_definition', `${file} ${rule}.`);
  }
  const parsed = shape.safeParse(config);
  // As it was written: agents and hooks are told apart by who they are.
  if (parsed.success) return config as HooksConfig;
  const sentences = parsed.error.issues.flatMap((issue) => describeIssue(issue, config, file));
  throw new DefinitionError('bad_definition', sentences.join('\n'));
}

function describeIssue(issue: z.core.$ZodIssue, config: unknown, file: string): string[] {
  const { value, keys } = writtenAt(config, issue.path);
  const keyPath = writePath(keys);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${file} ${unknownKey(key, keyPath)}`);
  const words = issue.code === 'invalid_value' && typeof value === 'string' ? issue.values.map(String) : [];
  const meant = nearest(String(value), words);
  const end = meant === undefined ? `, not ${describeSort(value)}.` : `. Did you mean "${meant}"?`;
  return [`${file}: "${keyPath}" must be ${issue.message}${end}`];
}

/** A text may stand for a list of one: nothing is written below it. */
function writtenAt(value: unknown, keys: readonly PropertyKey[], depth = 0): Written {
  const key = keys[depth];
  if (key === undefined || typeof value !== 'object' || value === null)
    return { value, keys: keys.slice(0, depth) };
  return writtenAt((value as Record<PropertyKey, unknown>)[key], keys, depth + 1);
}

interface Written {
  readonly value: unknown;
  readonly keys: readonly PropertyKey[];
}

/** `agents[0].name` */
function writePath(keys: readonly PropertyKey[]): string {
  return keys
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

function unknownKey(key: string, keyPath: string): string {
  const [owned, known] =
    keyPath === ''
      ? ['a configuration', Object.keys(fields)]
      : [`"${keyPath}"`, Object.keys(keyPath === 'harden' ? hardening : source)];
  const meant = nearest(key, known);
  const hint = meant === undefined ? `They are ${known.join(', ')}.` : `Did you mean "${meant}"?`;
  return `has a field "${key}" that ${owned} does not have. ${hint}`;
}

function describeSort(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'an empty text';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}
