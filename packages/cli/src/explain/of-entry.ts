import {
  type CommandEntry,
  dialectTraits,
  type EntryAnswer,
  type EntryOutlook,
  explainEntry,
} from '@spec/commands';
import { launchProblem } from '../check/programs.ts';
import type { Project } from '../project/load-project.ts';
import { type Occasion, type Opinion, type Outlook, silent } from './outlook.ts';

/** What an entry of a settings file would do. */
export async function ofEntry(
  written: CommandEntry,
  { settings, folder, config }: Project,
  { hook, state, args }: Occasion,
): Promise<Outlook> {
  const entry: CommandEntry = { ...written, event: hook };
  const trust = settings?.files.find(({ file }) => file === entry.position.file)?.trust?.status;
  const problem = launchProblem(entry, folder);
  const launch = launches[problem ?? ''];
  const { pass = [], allowedHosts = [] } = config;
  const firing = { state, args, projectDir: folder, trust, launch, pass, allowedHosts };
  const outlook = await explainEntry(entry, firing);
  const shown = outlook.isRefused ? refused(outlook, trust === 'changed') : makeOutlook(entry, outlook);
  const { strategy, isRefused, runs } = outlook;
  const mayHaveTwins =
    dialectTraits[entry.dialect].identicalOnce === true && isRefused !== true && runs === true;
  return { ...shown, strategy, ...(mayHaveTwins && { twinKey: makeTwinKey(entry) }) };
}

/** Tells the identical handlers of an event, of which one runs. */
function makeTwinKey({ position, eventName, isAwaited, handler, condition }: CommandEntry): string {
  return JSON.stringify([position.file, eventName, isAwaited, handler, condition]);
}

function makeOutlook(entry: CommandEntry, { runs, why, answer }: EntryOutlook): Outlook {
  if (answer === undefined) {
    const { isOnce = false } = entry;
    return { runs: isOnce ? null : runs, why: describeCondition(entry, runs === null), opinion: 'open' };
  }
  const opinion = makeOpinion(answer);
  const onError = opinion.decision === 'deny' ? 'block' : entry.effects.onLaunchError;
  const clause = runs === false ? why : [describeCondition(entry, false), why].filter(Boolean).join('; ');
  return {
    runs,
    why: clause ?? '',
    opinion,
    ...(answer.failure && { onError }),
  };
}

/** What certainly keeps a command from being started; of other problems only running it would tell. */
const launches: Readonly<Record<string, 'not_found' | 'not_executable'>> = {
  no_such_command: 'not_found',
  not_executable: 'not_executable',
};

/** The files of projects whose commands nobody has looked at. */
function refused({ answer = {} }: EntryOutlook, hasChanged: boolean): Outlook {
  const opinion = makeOpinion(answer);
  const file = hasChanged ? 'its file has changed since it was trusted' : 'its file is not trusted yet';
  if (opinion.decision === null)
    return { runs: false, why: `${file}; it guards nothing, and is passed over`, opinion: silent };
  return { runs: false, why: `${file}; what it guards is denied`, opinion, onError: 'block' };
}

/** What decides that an entry runs. */
function describeCondition(
  { condition, matcher, isOnce, isAwaited }: CommandEntry,
  isConditional: boolean,
): string {
  const more = isAwaited ? '' : ', and nobody waits for it';
  if (isConditional) return `where its condition holds: ${condition}${more}`;
  if (isOnce) return `where it has not run in this session${more}`;
  return `${matcher === undefined ? 'it has no matcher' : 'its matcher fits'}${more}`;
}

/** What keeps a turn going is a deny of its end. */
function makeOpinion({ decision, keepsGoing, reason }: EntryAnswer): Opinion {
  if (keepsGoing === true) return { decision: 'deny', reason: reason ?? null };
  return decision === undefined ? silent : { decision, reason: reason ?? null };
}
