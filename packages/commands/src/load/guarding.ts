import { DefinitionError } from '@spec/hooks';
import { selectWhatRuns } from '../trust/fingerprint.ts';
import type { Trust } from '../trust/trust.ts';
import { countEntries, type ReadSettings } from './read-files.ts';
import { findingLine } from './report.ts';
import { trustFindings } from './trust-findings.ts';

/** Settings files that are loaded again while their entries run. */
export interface Guarding {
  /**
   * Compares the version just read with the trusted one that runs. Guards that an agent removed from a file would be gone,
   * so such a version must be trusted first.
   *
   * @throws {DefinitionError} `bad_definition`: the running version stays
   */
  check(reads: readonly ReadSettings[], trusts: readonly (Trust | undefined)[]): void;
}

export function createGuarding(): Guarding {
  /** The hooks of trusted files, by path. */
  const trusted = new Map<string, string>();
  return {
    check(reads, trusts) {
      const lines = reads.flatMap((read, i) => {
        const trust = trusts[i];
        const before = trusted.get(read.path);
        if (before === undefined || trust?.status !== 'changed' || before === writeHooks(read)) return [];
        return trustFindings(read.file, trust, countEntries(read));
      });
      if (lines.length > 0)
        throw new DefinitionError(
          'bad_definition',
          `Settings files that are others than was trusted; what was trusted stays:\n${lines.map(findingLine).join('\n')}`,
        );
      for (const [i, read] of reads.entries()) {
        if (trusts[i]?.status === 'trusted') trusted.set(read.path, writeHooks(read));
        else if (trusts[i]?.status !== 'changed') trusted.delete(read.path);
      }
    },
  };
}

function writeHooks({ content }: ReadSettings): string {
  return content === undefined ? '' : selectWhatRuns(content);
}
