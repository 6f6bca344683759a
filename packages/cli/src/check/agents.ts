import { nameFile } from '../agents/installation.ts';
import { listDoubts, lookAtInstallations } from '../agents/look-at-installations.ts';
import { type CheckFinding, finding } from './finding.ts';

/** The coding agents in which hooks are installed, where nothing shows that they run there. */
export async function agentFindings(): Promise<CheckFinding[]> {
  return (await lookAtInstallations()).flatMap((known) =>
    listDoubts(known).map((message) =>
      finding({ level: 'risk', code: 'agent_unproven', file: nameFile(known.installation.file), message }),
    ),
  );
}
