// Explain: says what each hook would do on an event. `spec-hooks explain` calls it; it never runs a hook.

import type { Command } from 'commander';
import { exampleAfterError } from '../example-after-error.ts';
import { writeDetails } from '../help.ts';
import { addProjectOptions, projectHelp } from '../project/options.ts';
import type { ExplainFlags } from './run.ts';

const details = `${projectHelp}

Event and input are those of spec-hooks run. Nothing is run: matchers and the conditions of rules are data, and are held against the
input. A hook with a schema, which is code, is told as "maybe".

Examples:
  $ spec-hooks explain --event PreToolUse --input call.json
  $ echo '{"tool_name":"Bash","tool_input":{"command":"ls"}}' | spec-hooks explain --event PreToolUse --input - --all
  $ spec-hooks explain --event before_stop --config .claude/settings.json --json

With --json:
  { "event", "hook",
    "hooks": [{ "id", "hook", "from": "module" | "settings" | "rules" | "triggers", "source": "file:line" | null,
                "onError": "block" | "continue" | "ask", "runs": true | false | null for maybe, "why": the clause that decided,
                "decision": "allow" | "deny" | "ask" | null }],
    "combination": { "kind", "how", "decision": "allow" | "deny" | "ask" | null, "by": id | null, "reason": string | null },
    "notLoaded": [{ "source": "file:line", "message" }], "switchedOff": [{ "file", "message" }],
    "notRead": [{ "file", "message" }] }

hooks are in the order in which they would be asked. decision is what is certain without running any, as the input stands: what
rules say, and what comes of guards that are not trusted, cannot be tested or cannot be started. null: nothing is, and
spec-hooks run tells. by and reason are null where a hook that has to be run may decide the same before, or give a reason too.
notLoaded are the entries of settings files that are wrong, and so guard nothing; switchedOff are the files whose hooks are switched
off by a key or a variable; notRead are those in the usual places that the configuration does not name.

Exit code: 0, 1 the hooks could not be loaded, 2 wrong usage.`;

/** `spec-hooks explain`: which hooks would run for an event, and why the others would not. */
export function addExplainCommand(program: Command): void {
  addProjectOptions(program.command('explain'))
    .description('say which hooks would run for an event, and why; runs none')
    .requiredOption('--event <event>', 'the event, such as PreToolUse or before_tool_call')
    .option('--input <file>', 'what the event is about, as JSON; - for standard input (default: {})')
    .option('--agent <name>', 'what this agent or prompt of the configuration names counts as in scope')
    .option('--all', 'also list the hooks of other events')
    .option('--json', 'print the result as JSON')
    .showHelpAfterError(exampleAfterError('explain --event PreToolUse --input call.json'))
    .addHelpText('after', writeDetails(details))
    .action(async (flags: ExplainFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { explain } = await import('./run.ts');
      process.exitCode = await explain(flags);
    });
}
