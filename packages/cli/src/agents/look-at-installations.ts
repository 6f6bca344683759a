import { lstatSync } from 'node:fs';
import { relative } from 'node:path';
import { trustStore } from '@spec/commands/trust';
import { stateFolder } from '../agent-state/places.ts';
import { type Heartbeat, readHeartbeat } from '../agent-state/sessions.ts';
import { readLocalFile } from '../hook/local-file.ts';
import { findLost } from '../hook/open-hooks.ts';
import { describeLost, type LostCode } from '../trust/lost-code.ts';
import { findProjectCode } from '../trust/project-code.ts';
import { type Installation, listInstallations } from './installation.ts';

/** What is known of one installation. */
export interface KnownInstallation {
  readonly installation: Installation;
  /** What the agent last told; `undefined`: nothing yet. */
  readonly seen: Heartbeat | undefined;
  /** What a person has to trust first, relative to the working folder. */
  readonly untrusted: string | undefined;
  /** What a person has trusted, and is not found any more. */
  readonly lost: LostCode | undefined;
  /** What stands where the daemon would listen. */
  readonly obstacle: string | undefined;
}

/** Looks at all installations of the project here and of this person. It runs nothing of theirs. */
export async function lookAtInstallations(): Promise<readonly KnownInstallation[]> {
  return Promise.all(listInstallations().map(lookAtInstallation));
}

async function lookAtInstallation(installation: Installation): Promise<KnownInstallation> {
  const { root, agent, scope, folder } = installation;
  const code = scope === 'user' ? undefined : findProjectCode(root);
  const isTrusted = code === undefined || (await trustStore().get(code.subject)) !== undefined;
  const untrusted = isTrusted ? undefined : relative(process.cwd(), code.subject);
  return {
    ...{
      installation,
      untrusted,
      lost: await findLost(installation),
      seen: readHeartbeat(stateFolder(root), agent.name),
    },
    obstacle: findObstacle(readLocalFile(folder)?.socket),
  };
}

function findObstacle(socket = ''): string | undefined {
  const stat = lstatSync(socket, { throwIfNoEntry: false });
  return stat === undefined || (stat.isSocket() && stat.uid === process.getuid?.()) ? undefined : socket;
}

/** Whether the agent has shown that it runs the hooks. */
export function isProven({ seen, untrusted, lost }: KnownInstallation): boolean {
  return seen !== undefined && untrusted === undefined && lost === undefined;
}

/** What speaks against it that the agent runs the hooks, and what keeps them slow; each with what to do. */
export function listDoubts({ installation, seen, untrusted, lost, obstacle }: KnownInstallation): string[] {
  const { title, afterInstall } = installation.agent;
  const doubts = [
    seen === undefined &&
      `${title} has told of nothing yet, so nothing shows that it has loaded the hooks. ${afterInstall}`,
    lost !== undefined && `${describeLost(lost)}. Until then ${title} is denied what they guarded.`,
    untrusted !== undefined &&
      lost === undefined &&
      `The code of the hooks is not trusted, and does not run in ${title}: spec-hooks trust ${untrusted}`,
    obstacle !== undefined &&
      `${obstacle} is no socket of yours, so that no daemon can listen there, and each event of ${title} starts Node. Remove it.`,
  ];
  return doubts.filter((doubt) => doubt !== false);
}

/** When an agent last told of something, and of what. */
export function writeLastEvent({ at, event }: Heartbeat): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}, ${event}`;
}
