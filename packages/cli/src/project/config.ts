import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isHook, isRecord } from '@spec/hooks';
import { keepStdout } from '../hooks-apart.ts';
import { cacheFolder } from './cache-folder.ts';
import type { HooksConfig } from './hooks-config.ts';
import { importDefault } from './import-default.ts';

/** Gives a configuration its type. */
export function defineConfig(config: HooksConfig): HooksConfig {
  return config;
}

/** A configuration where it was found. */
export interface FoundConfig {
  readonly config: HooksConfig;
  /** Absolute. */
  readonly folder: string;
  /** As a person calls it; absent: there is none. */
  readonly file?: string;
}

const names = ['hooks.config.ts', 'hooks.config.mts', 'hooks.config.js', 'hooks.config.mjs'] as const;

/**
 * Finds the configuration upwards from a folder.
 *
 * @throws {DefinitionError} `bad_module` where it cannot be imported; `bad_definition` for what it must not hold
 */
export async function findConfig(from: string = process.cwd()): Promise<FoundConfig> {
  const path = configFileAbove(resolve(from));
  if (path === undefined) return { config: {}, folder: resolve(from) };
  const file = relative(process.cwd(), path) || path;
  const exported = await imported(path, file);
  return { config: await check(exported, file), folder: dirname(path), file };
}

/** What is plainly right needs no check: loading that takes most of the time that a small command has. */
async function check(exported: unknown, file: string): Promise<HooksConfig> {
  if (isPlain(exported)) return exported;
  const { checkedConfig } = await import('./check-config.ts');
  return checkedConfig(exported, file);
}

function isPlain(exported: unknown): exported is HooksConfig {
  if (!isRecord(exported)) return false;
  return Object.entries(exported).every(([key, value]) => {
    if (key === 'policies') return makeList(value).every((one) => isPath(one) || isHook(one));
    if (key === 'hooks' || key === 'rules' || key === 'triggers') return makeList(value).every(isPath);
    return key === 'store' && isPath(value);
  });
}

function makeList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** The nearest configuration upwards from a folder, which is not run. */
export function configFileAbove(folder: string): string | undefined {
  return listConfigPlaces(folder).find((path) => existsSync(path));
}

/** The folder of the project that a folder is in: that of its configuration; without one, the folder itself. */
export function findProjectFolder(from: string = process.cwd()): string {
  const config = configFileAbove(resolve(from));
  return config === undefined ? resolve(from) : dirname(config);
}

/** Where the configuration of a folder may stand, the nearest first. */
export function listConfigPlaces(folder: string): readonly string[] {
  const here = names.map((name) => join(folder, name));
  const above = dirname(folder);
  return above === folder ? here : [...here, ...listConfigPlaces(above)];
}

async function imported(path: string, file: string): Promise<unknown> {
  const giveBack = keepStdout();
  try {
    return await importDefault(path, {
      file,
      modules: { '@spec/cli': { defineConfig } },
      cache: cacheFolder(),
    });
  } finally {
    giveBack();
  }
}
