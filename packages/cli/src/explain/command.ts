import type { Command } from 'commander';
import { addProjectOptions, projectHelp } from '../project/options.ts';
import type { ExplainFlags } from './run.ts';

const details = `${projectHelp}

Event and input are those of spec-hooks run. Nothing is run: a hook that has conditions in code is told as "maybe".

Examples:
  $ spec-hooks explain --event PreToolUse --input call.json
  $ echo '{"tool_name":"Bash","tool_input":{"command":"ls"}}' | spec-hooks explain --event PreToolUse --input - --all
  $ spec-hooks explain --event before_stop --config .claude/settings.json --json

With --json:
  { "event", "hook",
    "hooks": [{ "id", "hook", "from": "module" | "settings" | "rules" | "triggers", "source": "file:line" | null,
                "runs": true | false | null for maybe, "why": the clause that decided, "onError": "block" | "continue" | "ask" }],
    "combination": { "kind", "how", "decision": "allow" | "deny" | null, "by": id | null } }

hooks are in the order in which they would be asked. decision is what rules alone make certain, as the input stands.

Exit code: 0, 1 the hooks could not be loaded, 2 wrong usage.`;

/** `spec-hooks explain`: which hooks would run for an event, and why the others would not. */
export function addExplainCommand(program: Command): void {
  addProjectOptions(program.command('explain'))
    .description(
      'say for each hook whether it would run for an event and which clause decides, without running any',
    )
    .requiredOption('--event <name>', 'the event, such as PreToolUse or before_tool_call')
    .option('--input <file>', 'what the event is about, as JSON; - for standard input (default: {})')
    .option('--agent <name>', 'what this agent or prompt of the configuration names counts as in scope')
    .option('--all', 'also list the hooks of other events')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', details)
    .action(async (flags: ExplainFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { explain } = await import('./run.ts');
      process.exitCode = await explain(flags);
    });
}
