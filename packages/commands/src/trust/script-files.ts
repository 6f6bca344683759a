import { resolve } from 'node:path';
import { UNKNOWN } from '@spec/hooks';
import { dialectTraits, folderVariables } from '../dialect-traits.ts';
import { findPluginRoot } from '../dialects/claude/plugin-root.ts';
import type { CommandHandler, EntryHandler } from '../entry-handler.ts';
import type { CommandEntry, DialectName } from '../normal-form.ts';
import { givenVariables } from './expand.ts';
import { lookAtText } from './look-at-commands.ts';
import type { Scene } from './scene.ts';
import { newSight, type UnseenCode } from './sight.ts';

/** Where words of a command are looked up as files. */
export interface ScriptPlaces {
  /** Absolute. */
  readonly projectDir: string;
  /** Absolute: the settings file. */
  readonly settingsPath: string;
  readonly dialect: DialectName;
}

/** The code that the commands and conditions of entries run. */
export interface NamedFiles {
  /** Absolute paths of scripts, sorted. */
  readonly scripts: readonly string[];
  /** All paths that words could mean, existing or not: a script may appear there later. */
  readonly paths: readonly string[];
  /** Lines of git settings that may run something, sorted. */
  readonly settings: readonly string[];
  /** Code that is not covered: nobody notices a change of it. */
  readonly unseen: readonly UnseenCode[];
}

/**
 * The script files that entries run, and in turn those that these start and load. Words are expanded like in a shell, without running
 * anything. Each piece of code ends in one of two ways: its file is among the scripts, or it is reported as unseen.
 */
export function namedFiles(entries: readonly CommandEntry[], places: ScriptPlaces): NamedFiles {
  const sight = newSight(places.projectDir);
  const plugin = findPluginRoot(places.settingsPath) ?? '';
  const variables = givenVariables(folderVariables(places.dialect, { project: places.projectDir, plugin }));
  for (const { handler, condition, position } of entries) {
    const scene: Scene = {
      sight,
      position,
      known: { variables },
      folders: [findFolder(handler, places.projectDir)],
      who: 'The command',
      depth: 0,
    };
    if (handler.type === 'command') lookAtHandler(handler, scene);
    if (condition !== undefined && dialectTraits[places.dialect].conditionIsCommand)
      lookAtText(withoutTemplates(condition), { ...scene, who: 'The condition' });
  }
  const { scripts, paths, settings, unseen } = sight;
  return {
    scripts: [...scripts].sort(),
    paths: [...new Set([...paths, ...scripts])].sort(),
    settings: [...settings].sort(),
    unseen: [...unseen.values()],
  };
}

const FOLDER = /\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA)\}/g;

function findFolder(handler: EntryHandler, projectDir: string): string {
  return handler.type === 'command' && handler.cwd !== undefined
    ? resolve(projectDir, handler.cwd)
    : projectDir;
}

/** No shell reads a program that has an argument list. Its variables count as if the line had set them. */
function lookAtHandler({ command, args, env = {} }: CommandHandler, scene: Scene): void {
  const fillIn = (value: string): string =>
    value.replace(/\$\{(\w+)\}/g, (_, name: string) => scene.known.variables.get(name) ?? UNKNOWN);
  const set = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(fillIn(value))}\n`);
  if (args === undefined) {
    lookAtText(`${set.join('')}${withoutTemplates(command)}`, scene);
    return;
  }
  const fill = (text: string): string =>
    text.replace(FOLDER, (_, name: string) => scene.known.variables.get(name) ?? UNKNOWN);
  const line = [command, ...args].map((word) => quoted(fill(word))).join(' ');
  lookAtText(`${set.join('')}${line}`, scene);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A template stands for a text that a model wrote. */
function withoutTemplates(text: string): string {
  return text.replace(/\{\{[^{}]*\}\}/g, UNKNOWN);
}
