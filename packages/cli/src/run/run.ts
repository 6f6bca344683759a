import { findEvent } from '../event/event-of.ts';
import { fire } from '../event/fire.ts';
import type { Fired } from '../event/fired.ts';
import { readPayload } from '../event/payload.ts';
import { exitCodes } from '../exit-codes.ts';
import { withHooksApart } from '../hooks-apart.ts';
import { loadProject, type Project } from '../project/load-project.ts';
import { listNotLoaded, listSwitchedOff, type NotLoaded, type SwitchedOff } from '../project/lost-entries.ts';
import type { ProjectFlags } from '../project/parts.ts';
import { tellNotRunning } from '../project/tell-not-running.ts';
import { roundMs } from '../table.ts';
import { wrongUsage } from '../wrong-usage.ts';
import { renderFired } from './to-text.ts';

/** The options of `spec-hooks run`, as they were typed. */
export interface RunFlags extends ProjectFlags {
  readonly event: string;
  readonly input?: string;
  readonly agent?: string;
  readonly json?: boolean;
}

/** Runs the hooks of one event. Gives the exit code. */
export async function run({ event: name, input, agent, json, ...flags }: RunFlags): Promise<number> {
  const event = findEvent(name);
  if (typeof event === 'string') return wrongUsage(event);
  const payload = await readPayload(input);
  const { fired, ...absent } = await withHooksApart(async () => {
    const project = await loadProject(flags);
    tellNotRunning(project);
    try {
      const fired = await fire(project, { event, payload, agent });
      const { notRead } = project;
      return {
        fired,
        notLoaded: listNotLoaded(project),
        switchedOff: listSwitchedOff(project),
        notRead,
      };
    } finally {
      await project.close();
    }
  });
  process.stdout.write(
    `${json ? JSON.stringify(makeJson(fired, absent), undefined, 2) : renderFired(fired, name)}\n`,
  );
  const code = chooseExitCode(fired);
  return code === exitCodes.fine && absent.notLoaded.length > 0 ? exitCodes.findings : code;
}

interface Absent {
  readonly notLoaded: readonly NotLoaded[];
  readonly switchedOff: readonly SwitchedOff[];
  readonly notRead: Project['notRead'];
}

function makeJson(fired: Fired, absent: Absent): object {
  const { decision, reason, userMessage, input, context, result, runs } = fired;
  const short = runs.map(({ id, hook, outcome, ms, changed }) => ({
    id,
    hook,
    outcome,
    ms: roundMs(ms),
    changed,
  }));
  return { decision, reason, userMessage, input, context, result, runs: short, ...absent };
}

function chooseExitCode({ decision, error }: Fired): number {
  if (error !== undefined) return exitCodes.findings;
  if (decision === 'deny') return exitCodes.denied;
  return decision === 'ask' ? exitCodes.asked : exitCodes.fine;
}
