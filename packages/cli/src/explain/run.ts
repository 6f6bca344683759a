import { realPaths } from '@spec/hooks/node';
import { findEvent } from '../event/event-of.ts';
import { hookFor, scopeFor } from '../event/fire.ts';
import { hookArguments } from '../event/hook-arguments.ts';
import { readPayload } from '../event/payload.ts';
import { openScene } from '../event/scene.ts';
import { exitCodes } from '../exit-codes.ts';
import { withHooksApart } from '../hooks-apart.ts';
import { loadProject } from '../project/load-project.ts';
import { listNotLoaded, listSwitchedOff } from '../project/lost-entries.ts';
import type { ProjectFlags } from '../project/parts.ts';
import { tellLeftOut } from '../project/tell-not-running.ts';
import { wrongUsage } from '../wrong-usage.ts';
import { afterDeny, combineExplained, deciderAtLatest } from './combination.ts';
import { type Explained, explainAll } from './explained.ts';
import { type ExplainedHook, type Explanation, renderExplanation } from './to-text.ts';

/** The options of `spec-hooks explain`, as they were typed. */
export interface ExplainFlags extends ProjectFlags {
  readonly event: string;
  readonly input?: string;
  readonly agent?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Says which hooks would run for an event. Gives the exit code. */
export async function explain({
  event: name,
  input,
  agent,
  all,
  json,
  ...flags
}: ExplainFlags): Promise<number> {
  const event = findEvent(name);
  if (typeof event === 'string') return wrongUsage(event);
  const payload = await readPayload(input);
  const { explanation, atLatest } = await withHooksApart(async () => {
    const project = await loadProject(flags);
    tellLeftOut(project);
    const scene = await openScene({ payload, hooks: [], isSubagent: event.isOfSubagents });
    try {
      const { state, child } = scene;
      const hook = hookFor({ event, payload });
      const scope = scopeFor(project, { agent });
      const named = agent === undefined ? undefined : (scope[hook] ?? []).map((member) => member.hook.id);
      const args = await hookArguments(hook, { payload, state, child });
      const occasion = { hook, state, named, args, environment: realPaths(project.folder) };
      const explained = await explainAll(project, occasion);
      const hooks = afterDeny(explained, hook).map(shown);
      const combination = combineExplained(explained, hook);
      const explanation: Explanation = {
        event: name,
        hook,
        hooks,
        combination,
        notLoaded: listNotLoaded(project),
        switchedOff: listSwitchedOff(project),
        notRead: project.notRead,
      };
      return { explanation, atLatest: deciderAtLatest(explained, hook) };
    } finally {
      await scene.close();
      await project.close();
    }
  });
  process.stdout.write(
    `${json ? JSON.stringify(explanation, undefined, 2) : renderExplanation(explanation, { all: all === true, atLatest })}\n`,
  );
  return exitCodes.fine;
}

function shown({ known, onError, runs, why, opinion }: Explained): ExplainedHook {
  const { id, hook, from, source } = known;
  return {
    id,
    hook,
    from,
    source,
    onError,
    runs,
    why,
    decision: opinion === 'open' ? null : opinion.decision,
  };
}
