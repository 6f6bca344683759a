import { join } from 'node:path';
import { isRecord } from '@spec/hooks';
import { parse } from 'jsonc-parser';
import { findOwnFile } from '../agent-state/places.ts';
import { readFileText } from '../read-text.ts';
import type { Installation } from './installation.ts';

/** What switches all hooks off in the configurations of agents: a key inside of others, and its value. */
const SWITCHES: readonly (readonly [path: readonly string[], value: boolean])[] = [
  [['disableAllHooks'], true],
  [['hooksConfig', 'enabled'], false],
  [['tools', 'enableHooks'], false],
  [['hooks', 'enabled'], false],
];

/** Where an agent's hooks are switched off, as a sentence; `undefined` if they are nowhere. */
export function describeOffSwitch({ agent, scope, root, file }: Installation): string | undefined {
  const { switches } = agent.files;
  const others =
    scope === 'user'
      ? (switches?.user ?? []).map((name) => findOwnFile(agent, name))
      : (switches?.project ?? []).map((name) => join(root, name));
  for (const one of [file, ...others]) {
    const content = readContent(one);
    const found = SWITCHES.find(([path, value]) => findAt(content, path) === value);
    if (found !== undefined)
      return `${agent.title} runs no hooks: they are switched off by "${found[0].join('.')}" in ${one}.`;
  }
  return undefined;
}

function readContent(file: string): unknown {
  try {
    return parse(readFileText(file, '').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function findAt(content: unknown, path: readonly string[]): unknown {
  return path.reduce((at, key) => (isRecord(at) ? at[key] : undefined), content);
}
