// Hook: answers one event of a coding agent. The launcher that "spec-hooks install" wrote calls it; it asks nobody, and writes nothing into the project.

import type { Command } from 'commander';
import { exampleAfterError } from '../example-after-error.ts';
import { writeDetails } from '../help.ts';

const details = `
The launcher that "spec-hooks install" wrote calls this for each event: nobody types it but to try it. It reads what the agent sends
on standard input, runs the hooks, and prints what the agent understands, and nothing else.

The hooks of a project run only after "spec-hooks trust". When they have changed since, what they guard is denied.

Examples:
  $ spec-hooks hook --agent codex --event PreToolUse --root "$PWD" < call.json

Exit code: 0 or 2, as the agent takes it; 1 there is no answer, and the launcher denies what is guarded.`;

/** `spec-hooks hook`: answer one event of a coding agent. */
export function addHookCommand(program: Command): void {
  program
    .command('hook')
    .description('answer one event of a coding agent; its launcher calls this')
    .requiredOption('--agent <name>', 'the agent, such as codex')
    .requiredOption('--event <name>', 'the event, as the agent calls it')
    .option('--root <folder>', "the folder of the project; without it, a person's own hooks run")
    .addHelpText('after', writeDetails(details))
    .showHelpAfterError(exampleAfterError('hook --agent codex --event PreToolUse'))
    .action(async ({ agent, event, root }: { agent: string; event: string; root?: string }) => {
      const { answerAgent } = await import('./answer.ts');
      const place = root === undefined ? [] : ['--root', root];
      await answerAgent(['--agent', agent, '--event', event, ...place]);
    });
}
