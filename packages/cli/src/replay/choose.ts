import { wrongUsage } from '../wrong-usage.ts';
import { findFiles, hasFolder } from './judge/find-files.ts';
import { describeNoFile } from './judge/nothing-found.ts';
import type { ReplayFlags } from './run.ts';

/** Judges folders of sessions, replays files, or shows the demonstration. Gives the exit code. */
export async function chooseReplay(paths: readonly string[], flags: ReplayFlags): Promise<number> {
  const isAboutSessions = [flags.since, flags.last, flags.html].some((one) => one !== undefined);
  const isFolder = await hasFolder(paths);
  if (isAboutSessions && (flags.runHooks || paths.length === 0))
    return wrongUsage('--since, --last and --html are for folders of sessions, without --run-hooks.');
  if (!flags.runHooks && (isFolder || isAboutSessions)) return judgeFolders(paths, flags);
  const { demonstrate, replayFiles } = await import('./run.ts');
  if (paths.length === 0) return demonstrate(flags);
  if (!isFolder) return replayFiles(paths, flags);
  const { files, unread } = await findFiles(paths);
  if (files.length === 0) throw new Error(describeNoFile(paths, unread));
  return replayFiles(
    files.map(({ path }) => path),
    flags,
    unread,
  );
}

async function judgeFolders(paths: readonly string[], flags: ReplayFlags): Promise<number> {
  const { db, diff, bench, failOnChange, hooks } = flags;
  if (db !== undefined || diff || bench || failOnChange || typeof hooks === 'string')
    return wrongUsage(
      '--db, --diff, --bench, --fail-on-change and --hooks <dir> run hooks: for a folder of sessions add --run-hooks.',
    );
  if (paths.includes('-')) return wrongUsage('Standard input is no folder of sessions: give one, or a file.');
  const { judgeSessions } = await import('./judge/run.ts');
  return judgeSessions(paths, flags);
}
