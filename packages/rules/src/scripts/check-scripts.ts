import type { CheckedRules, RuleFinding } from '../check-rules.ts';
import type { Sandbox } from './sandbox.ts';

/** The scripts that are not JavaScript: found before anything runs, with line and column in the script. */
export async function badScripts(places: CheckedRules['places'], sandbox: Sandbox): Promise<RuleFinding[]> {
  const findings: RuleFinding[] = [];
  for (const [{ id, script }, position] of places) {
    const problem = script === undefined ? undefined : await sandbox.check(script);
    if (problem === undefined) continue;
    const { line, column, message: what } = problem;
    const message = `Its script breaks in line ${line}, column ${column}: ${what}.`;
    findings.push({ level: 'error', position, rule: id, message });
  }
  return findings;
}
