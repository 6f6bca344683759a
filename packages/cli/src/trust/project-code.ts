import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { TrustStore } from '@spec/commands/trust';
import { configFileAbove, type FoundConfig, findConfig } from '../project/config.ts';
import { configuredParts, type Parts } from '../project/parts.ts';
import { type CodeMemory, lookAtCode, type SeenCode } from './code.ts';

/** The code of a project: its configuration, else its folder of hooks. */
export interface ProjectCode {
  /** What trust is kept for, absolute. */
  readonly subject: string;
  /** The folder of the project. */
  readonly folder: string;
}

/** Finds the code of the project in which a folder stands, and runs nothing. `undefined`: it has none. */
export function findProjectCode(folder: string): ProjectCode | undefined {
  const config = configFileAbove(resolve(folder));
  if (config !== undefined) return { subject: config, folder: dirname(config) };
  const hooks = join(resolve(folder), 'hooks');
  return existsSync(hooks) ? { subject: hooks, folder: resolve(folder) } : undefined;
}

/** What runs when a project's configuration is loaded. */
export function lookAtConfiguration({ subject }: ProjectCode, memory?: CodeMemory): SeenCode {
  return lookAtCode([subject], memory);
}

/** What a project's configuration names: folders of hooks, rules and triggers. Settings files have a trust of their own. */
export function lookAtParts(parts: Parts): SeenCode {
  return lookAtCode(listParts(parts));
}

/** The files and folders that a project's configuration names, absolute. The working folder is the one where the parts were found. */
export function listParts({ hooks, policies, rules, triggers }: Parts): string[] {
  const named = policies.filter((one) => typeof one === 'string');
  return [...hooks, ...named, ...rules, ...triggers].map((path) => resolve(path)).sort();
}

/** A project whose code a person has trusted as it is. */
export interface TrustedProject {
  readonly found: FoundConfig;
  readonly parts: Parts;
  /** What is kept of its code, as it was before anything of the parts was imported. */
  readonly looked: string;
}

/** Why the code of a project must not run. */
export type CodeRefusal = 'unknown' | 'changed';

/** Loads the configuration of a project if a person has trusted its code as it is now. The working folder is the project's. */
export async function openTrustedProject(
  code: ProjectCode,
  store: TrustStore,
): Promise<TrustedProject | CodeRefusal> {
  const trusted = await store.get(code.subject);
  if (trusted === undefined) return 'unknown';
  if (!trusted.startsWith(`${writeConfigTrust(lookAtConfiguration(code))} `)) return 'changed';
  const found = await findConfig(code.folder);
  const parts = configuredParts(found);
  return trusted === writeTrust(lookAtConfiguration(code), lookAtParts(parts))
    ? { found, parts, looked: trusted }
    : 'changed';
}

function writeConfigTrust({ fingerprint }: SeenCode): string {
  return `code1 ${fingerprint}`;
}

/** What is kept of code that a person trusts: the configuration by itself, since it must run before anybody knows what it names. */
export function writeTrust(configuration: SeenCode, parts: SeenCode): string {
  return `${writeConfigTrust(configuration)} ${parts.fingerprint}`;
}
