import { relative } from 'node:path';
import { trustStore } from '@spec/commands/trust';
import type { HookFolder } from '../hook/called.ts';
import { findCode, findLost, type LoadedFrom, needsTrust, type UntrustedCode } from '../hook/open-hooks.ts';
import { type CodeMemory, lookAtCode, stampFile } from '../trust/code.ts';
import { lookAtConfiguration, writeTrust } from '../trust/project-code.ts';

/** The code of a folder, if nobody has trusted it, or another is trusted: then nothing of it is loaded, or kept. */
export async function findUnknown(folder: HookFolder): Promise<UntrustedCode | undefined> {
  const lost = await findLost(folder);
  if (lost !== undefined) return lost;
  const code = findCode(folder);
  if (!needsTrust(folder, code) || (await trustStore().get(code.subject)) !== undefined) return undefined;
  return { refusal: 'unknown', subject: relative(folder.root, code.subject) };
}

/**
 * Compares what hooks were loaded from with what is there and trusted now. Code that has changed while the trust has not is untrusted: to see that,
 * nothing has to be loaded.
 *
 * @param memory kept between looks
 */
export async function compareCode(
  folder: HookFolder,
  { looked, parts, stamps }: LoadedFrom,
  memory: CodeMemory,
): Promise<'same' | 'outdated' | UntrustedCode> {
  const code = findCode(folder);
  const now = writeTrust(lookAtConfiguration(code, memory), lookAtCode(parts, memory));
  const trusted = needsTrust(folder, code) ? await trustStore().get(code.subject) : now;
  if (trusted === looked && now !== looked)
    return { refusal: 'changed', subject: relative(folder.root, code.subject) };
  const isSame = now === looked && Object.entries(stamps).every(([file, stamp]) => stampFile(file) === stamp);
  return isSame && trusted === looked ? 'same' : 'outdated';
}
