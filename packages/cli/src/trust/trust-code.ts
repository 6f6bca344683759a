import { relative } from 'node:path';
import type { TrustFile } from '@spec/commands/trust';
import { askPerson } from '../ask-person.ts';
import { printable } from '../printable.ts';
import { findConfig } from '../project/config.ts';
import { configuredParts } from '../project/parts.ts';
import type { SeenCode } from './code.ts';
import { listGoneBefore } from './lost-code.ts';
import { lookAtConfiguration, lookAtParts, type ProjectCode, writeTrust } from './project-code.ts';

/** What a person was shown of the code of a project, and whether they trust it. */
export interface LookedCode {
  readonly file: string;
  readonly files: readonly string[];
  readonly unseen: readonly string[];
  readonly status: 'trusted' | 'unknown' | 'changed';
  /** Whether it was trusted just now. */
  readonly recorded: boolean;
}

/** Shows the code of a project, asks, and records that a person trusts it. The configuration runs after they have agreed to it. */
export async function trustCode(
  code: ProjectCode,
  store: TrustFile,
  { yes = false, json = false }: { readonly yes?: boolean; readonly json?: boolean },
): Promise<LookedCode> {
  const file = relative(process.cwd(), code.subject) || '.';
  const before = await store.get(code.subject);
  const gone = await listGoneBefore(code, store);
  const configuration = lookAtConfiguration(code);
  if (before !== undefined && (await isAsTrusted(code, before, configuration))) {
    if (!(await forgetGone(gone, store, { yes, json })))
      return { file, ...(await describeAll(code, configuration)), status: 'changed', recorded: false };
    return { file, ...(await describeAll(code, configuration)), status: 'trusted', recorded: false };
  }
  const status = before === undefined ? 'unknown' : 'changed';
  const refused = { file, ...describeCode([configuration]), status, recorded: false } as const;
  if (!json) tellCode(`${file} is code, which runs when the hooks are loaded`, configuration);
  if (!(await agrees(`Trust ${printable(file)}?`, file, { yes, json }))) return refused;
  const parts = lookAtParts(configuredParts(await findConfig(code.folder)));
  if (!json && parts.files.length > 0) tellCode('It names these', parts);
  if (parts.files.length > 0 && !(await agrees('Trust these, too?', file, { yes, json }))) return refused;
  if (!(await forgetGone(gone, store, { yes, json }))) return refused;
  await store.trust(code.subject, writeTrust(configuration, parts));
  if (!json) process.stdout.write(`${printable(file)} and what it names are trusted now.\n\n`);
  return { file, ...describeCode([configuration, parts]), status, recorded: true };
}

/** What is gone, and would be found before this code, denies everything until a person lets go of it. */
async function forgetGone(
  gone: readonly string[],
  store: TrustFile,
  flags: { readonly yes: boolean; readonly json: boolean },
): Promise<boolean> {
  for (const path of gone) {
    const file = relative(process.cwd(), path);
    const question = `${printable(file)} was trusted, and is gone. Forget it?`;
    if (!(await agrees(question, file, flags))) return false;
    await store.forget(path);
  }
  return true;
}

async function isAsTrusted(code: ProjectCode, before: string, configuration: SeenCode): Promise<boolean> {
  if (!before.startsWith(`code1 ${configuration.fingerprint} `)) return false;
  const parts = lookAtParts(configuredParts(await findConfig(code.folder)));
  return before === writeTrust(configuration, parts);
}

async function describeAll(
  code: ProjectCode,
  configuration: SeenCode,
): Promise<Pick<LookedCode, 'files' | 'unseen'>> {
  return describeCode([configuration, lookAtParts(configuredParts(await findConfig(code.folder)))]);
}

function describeCode(seen: readonly SeenCode[]): Pick<LookedCode, 'files' | 'unseen'> {
  const files = [...new Set(seen.flatMap((one) => one.files))].sort();
  return { files, unseen: seen.flatMap((one) => one.unseen) };
}

async function agrees(
  question: string,
  file: string,
  { yes, json }: { readonly yes: boolean; readonly json: boolean },
): Promise<boolean> {
  return yes || (!json && (await askPerson(question, `trust ${file}`)));
}

function tellCode(what: string, { files, unseen }: SeenCode): void {
  const lines = files.map((file) => `  ${printable(relative(process.cwd(), file) || file)}`);
  const doubts = unseen.map((one) => `  ! ${printable(one)} Trust does not cover that module.`);
  process.stdout.write(`${what}:\n${[...lines, ...doubts].join('\n')}\n`);
}
