// Run: fires one event and shows what came of it. `spec-hooks run` calls it; it never judges the outcome.

import type { Command } from 'commander';
import { exampleAfterError } from '../example-after-error.ts';
import { writeDetails } from '../help.ts';
import { addProjectOptions, projectHelp } from '../project/options.ts';
import type { RunFlags } from './run.ts';

const details = `${projectHelp}

The event is a name of ours, such as before_tool_call, or of any settings file, such as PreToolUse, AgentStart or Compaction.
The input is what the event is about, as JSON: "tool_name" and "tool_input", "tool_response" or "error" after a tool, "prompt",
"messages", "source", "trigger", "message" and "notification_type"; or what our own hooks get, such as a tool call with "id"
and "function". "session_id" names the thread, "agent_type" the agent, "history" has the messages before the event.
The hooks get a thread of their own, in memory. What they do to the world outside of it, they really do.

Examples:
  $ spec-hooks run --event PreToolUse --input call.json
  $ echo '{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}' | spec-hooks run --event PreToolUse --input -
  $ spec-hooks run --event UserPromptSubmit --input prompt.json --trust
  $ spec-hooks run --event filter_messages --input history.json --hooks ./hooks

With --json:
  { "decision": "allow" | "deny" | "ask" | null, "reason": string | null, "userMessage": string | null,
    "input": the rewritten input | null, "context": [string], "result": what hooks changed, or answered | null,
    "runs": [{ "id", "hook", "outcome", "ms", "changed" }], "notLoaded": [{ "source": "file:line", "message" }],
    "switchedOff": [{ "file", "message" }], "notRead": [{ "file", "message" }] }

notLoaded are the entries of settings files that are wrong, and so guard nothing; switchedOff are the files whose hooks are switched
off by a key or a variable; notRead are those in the usual places that the configuration does not name. Standard error tells of them all.

Exit code: 0 it goes ahead, 1 hooks could not be loaded or the step would fail, 2 wrong usage, 3 denied (on before_stop: kept going),
4 a person would be asked.`;

/** `spec-hooks run`: the hooks of one event, really run. */
export function addRunCommand(program: Command): void {
  addProjectOptions(program.command('run'))
    .description('run the hooks for one event, and see what they decide')
    .requiredOption('--event <event>', 'the event, such as PreToolUse or before_tool_call')
    .option('--input <file>', 'what the event is about, as JSON; - for standard input (default: {})')
    .option(
      '--agent <name>',
      'of the hooks that agents name, only those of this agent or prompt of the configuration',
    )
    .option('--json', 'print the result as JSON')
    .showHelpAfterError(exampleAfterError('run --event PreToolUse --input call.json'))
    .addHelpText('after', writeDetails(details))
    .action(async (flags: RunFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { run } = await import('./run.ts');
      process.exitCode = await run(flags);
    });
}
