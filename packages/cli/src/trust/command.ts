// Trust: shows what the commands of a file run, and records that the user agrees. `spec-hooks trust` calls it; it never runs them.

import type { Command } from 'commander';
import { writeDetails } from '../help.ts';
import type { TrustFlags } from './run.ts';

const details = `
A settings file of a project comes with the project: whoever wrote it has their commands run on your machine. So its hooks do not
run, and what they guard is denied, before a person has looked at them. This command shows what the file would run and the
scripts it names, asks, and records the fingerprint of both. When one of them changes, it asks to be looked at again. With --tools
it shows what MCP servers behind "spec-hooks gateway" have changed in their tools.

It never runs code of the project, such as hooks.config.ts: name the settings files that stand there.

Examples:
  $ spec-hooks trust                                 those not trusted yet
  $ spec-hooks trust .claude/settings.json --show    this one, with its scripts
  $ spec-hooks trust --yes                           for automation
  $ spec-hooks trust --remove .claude/settings.json  not any more
  $ spec-hooks trust --tools github                  what the gateway holds back of one server

With --json, which never asks:
  { "files": [{ "file", "status": "given" | "trusted" | "unknown" | "changed" | "gone" | null, "fingerprint", "scripts": [string],
                "entries": [{ "id", "event", "matcher", "handler": { … }, "line" }],
                "rules": [{ "id", "event", "rule": { … }, "line" }], "recorded": boolean }] }
with --list: { "trusted": [{ "path", "fingerprint" }] }, with --remove: { "removed": [string] }, with --tools:
  { "servers": [{ "server", "held": [{ "key", "why": "new" | "changed" | "hidden", "definition", "hidden" }], "recorded": boolean }] }

Exit code: 0 all are trusted now, 1 one is not or could not be read, 2 wrong usage.`;

/** `spec-hooks trust`: look at what settings files run, and trust them. */
export function addTrustCommand(program: Command): void {
  program
    .command('trust')
    .description('look at what settings files would run, and trust them')
    .argument('[files...]', 'settings files (default: those in the usual places)')
    .option('--show', 'print the scripts that the files name')
    .option('--yes', 'trust without being asked')
    .option('--tools', 'look at what the gateway holds back of MCP servers')
    .option('--list', 'list what is trusted')
    .option('--remove', 'trust the files no longer')
    .option(
      '--store <file>',
      'the file that keeps what is trusted (default: ~/.config/spec-hooks/trusted.json)',
    )
    .option('--json', 'print the result as JSON')
    .addHelpText('after', writeDetails(details))
    .action(async (files: string[], { tools, ...flags }: TrustFlags & { readonly tools?: boolean }) => {
      // Loaded here, so that --help does not wait for it.
      if (tools === true) {
        const { trustTools } = await import('./held-tools.ts');
        process.exitCode = await trustTools(files, flags);
        return;
      }
      const { trust } = await import('./run.ts');
      process.exitCode = await trust(files, flags);
    });
}
