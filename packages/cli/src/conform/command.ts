// Conform: judges a runtime by the conformance cases. `spec-hooks conform` calls it; it never loads the hooks of the project.

import type { Command } from 'commander';
import { writeDetails } from '../help.ts';
import type { ConformFlags } from './run.ts';

const details = `
MODULE is a file, TypeScript or JavaScript, whose default export is a subject of @spec/conformance, or a function that gives
one: the adapter between a runtime and the cases.

Examples:
  $ spec-hooks conform conformance.ts                           what holds, and what does not
  $ spec-hooks conform conformance.ts --only before_tool_call   one topic
  $ spec-hooks conform conformance.ts --only '*timeout*'        everything about timeouts
  $ spec-hooks conform conformance.ts --baseline known.json     with the cases that are known to fail
  $ spec-hooks conform conformance.ts --markdown > report.md    a page to publish
  $ spec-hooks conform --list --only before_tool_call           the cases and what they require, judging nothing

With --json:
  { "subject", "ok", "summary", "scores": { "all": { "passed", "of" }, "levels": { "MUST"?: { "passed", "of" }, … } },
    "notJudged"?: how many cases --only left out, "unknown": [ids of the baseline that no case has],
    "verdicts": [{ "id", "section", "level", "says", "ms", "tries"?, "message"?, "reason"?,
                   "outcome": "passed" | "failed" | "known_failure" | "stale" | "not_applicable" }] }

With --list and --json: [{ "id", "section", "level", "says", "needs": [abilities], "hooks": [names] }]

A part that --only chose proves that part: the summary says so.

Exit code: 0 conformant, or as the baseline says; 1 a case failed, the baseline is stale, or there is no subject or no baseline to
read; 2 wrong usage.`;

/** `spec-hooks conform`: the conformance suite on a runtime of anybody's. */
export function addConformCommand(program: Command): void {
  program
    .command('conform')
    .description('judge a runtime by the conformance suite')
    .argument('[module]', 'the module that exports the subject; not needed with --list')
    .option('--baseline <file>', 'JSON with the cases that are known to fail: { "<case id>": "<why>" }')
    .option('--only <pattern>', 'run only the cases of this id or topic; * stands for anything')
    .option('--list', 'list the cases and judge nothing')
    .option('--concurrency <number>', 'how many cases run at the same time (default: 8)')
    .option('--json', 'print the result as JSON')
    .option('--markdown', 'print the result as a page of Markdown')
    .addHelpText('after', writeDetails(details))
    .action(async (module: string | undefined, flags: ConformFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { conform } = await import('./run.ts');
      process.exitCode = await conform(module, flags);
    });
}
