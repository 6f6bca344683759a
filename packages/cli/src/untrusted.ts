import type { Project } from './project/load-project.ts';

/** Says on standard error which settings files do not run because nobody trusts them. */
export function tellUntrusted({ settings }: Project): void {
  for (const { file, trust } of settings?.files ?? []) {
    if (trust?.status !== 'unknown' && trust?.status !== 'changed') continue;
    const why = trust.status === 'changed' ? 'has changed since it was trusted' : 'is not trusted yet';
    const remedy = 'look at it, then trust it with spec-hooks trust, or add --trust for this once';
    process.stderr.write(
      `spec-hooks: ${file} ${why}: none of its hooks runs, and what they guard is denied; ${remedy}.\n`,
    );
  }
}
