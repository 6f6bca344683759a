import { lstatSync } from 'node:fs';
import { relative } from 'node:path';
import { trustStore } from '@spec/commands/trust';
import { stateFolder } from '../agent-state/places.ts';
import { type Heartbeat, readHeartbeat } from '../agent-state/sessions.ts';
import { readLocalFile } from '../hook/local-file.ts';
import { findLost } from '../hook/open-hooks.ts';
import { keepStdout } from '../hooks-apart.ts';
import { describeLost, type LostCode } from '../trust/lost-code.ts';
import { type CodeRefusal, findProjectCode, openTrustedProject } from '../trust/project-code.ts';
import { type Installation, listInstallations } from './installation.ts';

/** What is known of one installation. */
export interface KnownInstallation {
  readonly installation: Installation;
  /** What the agent last told; `undefined`: nothing yet. */
  readonly seen: Heartbeat | undefined;
  /** What a person has to trust first. */
  readonly untrusted: UntrustedSubject | undefined;
  /** What a person has trusted, and is not found any more. */
  readonly lost: LostCode | undefined;
  /** What stands where the daemon would listen. */
  readonly obstacle: string | undefined;
}

/** Code of a project that does not run as it is now. */
export interface UntrustedSubject {
  /** What trust is kept for, relative to the working folder. */
  readonly subject: string;
  readonly refusal: CodeRefusal;
}

/** Looks at all installations of the project here and of this person. It runs nothing that nobody trusts as it is now. */
export async function lookAtInstallations(): Promise<readonly KnownInstallation[]> {
  const places = listInstallations();
  const project = places.find(({ scope }) => scope === 'project');
  const untrusted = project === undefined ? undefined : await findUntrusted(project.root);
  return Promise.all(
    places.map((place) => lookAtInstallation(place, place.scope === 'project' ? untrusted : undefined)),
  );
}

/** Judges the code of a project as an event does. Only its configuration says what else is code, so it runs where it is trusted as it is. */
async function findUntrusted(root: string): Promise<UntrustedSubject | undefined> {
  const code = findProjectCode(root);
  if (code === undefined) return undefined;
  const folder = process.cwd();
  const giveBack = keepStdout();
  try {
    process.chdir(root);
    const trusted = await openTrustedProject(code, trustStore());
    if (typeof trusted !== 'string') return undefined;
    return { subject: relative(folder, code.subject), refusal: trusted };
  } catch {
    return undefined; // A trusted configuration that cannot be loaded: "spec-hooks check" says why.
  } finally {
    process.chdir(folder);
    giveBack();
  }
}

async function lookAtInstallation(
  installation: Installation,
  untrusted: UntrustedSubject | undefined,
): Promise<KnownInstallation> {
  const { root, agent, folder } = installation;
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
    untrusted !== undefined && lost === undefined && describeUntrusted(untrusted, title),
    obstacle !== undefined &&
      `${obstacle} is no socket of yours, so that no daemon can listen there, and each event of ${title} starts Node. Remove it.`,
  ];
  return doubts.filter((doubt) => doubt !== false);
}

function describeUntrusted({ subject, refusal }: UntrustedSubject, title: string): string {
  return refusal === 'unknown'
    ? `The code of the hooks is not trusted, and does not run in ${title}: spec-hooks trust ${subject}`
    : `The code of the hooks has changed since it was trusted. Until a person trusts it as it is now, ${title} is denied what they guard: spec-hooks trust ${subject}`;
}

/** When an agent last told of something, and of what. */
export function writeLastEvent({ at, event }: Heartbeat): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}, ${event}`;
}
