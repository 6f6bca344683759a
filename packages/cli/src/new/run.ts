import { normalize, resolve } from 'node:path';
import { DefinitionError, isLifecycleName } from '@spec/hooks';
import { exitCodes } from '../exit-codes.ts';
import { type FoundConfig, findConfig } from '../project/config.ts';
import { knownHooks } from '../project/known-hooks.ts';
import { loadProject } from '../project/load-project.ts';
import { configuredParts } from '../project/parts.ts';
import { writeFiles } from '../write-files.ts';
import { describeUnknownHook, wrongUsage } from '../wrong-usage.ts';
import { moduleExtension } from './surroundings.ts';
import { hookFiles, type TestRunner } from './templates.ts';
import { findTestRunner, testCommand } from './test-runner.ts';

/** The options of `spec-hooks new`, as they were typed. */
export interface NewFlags {
  readonly dir?: string;
  readonly test?: TestRunner;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Writes a hook and its test. Gives the exit code. */
export async function newHook(hook: string, id: string, flags: NewFlags): Promise<number> {
  if (!isLifecycleName(hook)) return wrongUsage(await describeUnknownHook(hook));
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(id))
    return wrongUsage(`"${id}" is not an id: ids are snake_case, such as deny_force_push.`);
  const { force = false, json } = flags;
  const found = await findConfig();
  const folder = flags.dir ?? hooksFolder(found);
  const runner = flags.test ?? findTestRunner(folder);
  if (!force) await refuseTaken(id);
  const files = hookFiles({ hook, id, folder, runner, extension: moduleExtension(folder) });
  await writeFiles(files, { force });
  const paths = files.map(({ path }) => path);
  if (json) process.stdout.write(`${JSON.stringify({ hook, id, files: paths }, undefined, 2)}\n`);
  else process.stdout.write(describeNext(id, paths, { folder, runner, found }));
  return exitCodes.fine;
}

/** The folder that the configuration names first for hooks of prompts and agents, else for those that run everywhere. */
function hooksFolder(found: FoundConfig): string {
  const { hooks, policies } = configuredParts(found);
  return hooks[0] ?? policies.find((one) => typeof one === 'string') ?? 'hooks';
}

async function refuseTaken(id: string): Promise<void> {
  const project = await loadProject({}, 'collect');
  await project.close();
  const taken = knownHooks(project, true).find((known) => known.id === id);
  if (taken === undefined) return;
  const message = `A hook with the id "${id}" exists already (${taken.source ?? taken.hook}). Ids must be unique: choose another.`;
  throw new DefinitionError('duplicate_id', message);
}

interface Next {
  readonly folder: string;
  readonly runner: TestRunner;
  readonly found: FoundConfig;
}

function describeNext(id: string, paths: readonly string[], { folder, runner, found }: Next): string {
  const { policies } = configuredParts(found);
  const runsEverywhere = policies.some((one) => typeof one === 'string' && resolve(one) === resolve(folder));
  const where = runsEverywhere
    ? 'It runs everywhere, as all hooks of its folder.'
    : `It runs where a prompt or an agent names it: hooks: ['${id}'].`;
  return `Written: ${paths.join(', ')}
${where}
Test it: ${testCommand(runner, normalize(paths[1] ?? ''))}
`;
}
