// Convert: writes a settings file in another format. `spec-hooks convert` calls it; it never changes the file that it reads.

import { dialectNames } from '@spec/commands/dialects';
import { type Command, Option } from 'commander';
import { exampleAfterError } from '../example-after-error.ts';
import { writeDetails } from '../help.ts';
import type { ConvertFlags } from './run.ts';

const details = `
Formats: settings (flat entries, the payload in variables), hub (hub.json, templates), service (nested, seconds, behaviours),
claude, codex, copilot, cursor, factory, gemini, qwen (the settings files of these coding agents), and typescript, which makes a
module with defineHook of each entry. What is written is read again and compared: what differs is told on standard error, with the line it comes from.

Examples:
  $ spec-hooks convert .claude/settings.json --to hub --out hub.json
  $ spec-hooks convert hub.json --to claude > settings.json
  $ spec-hooks convert settings.json --to typescript --out hooks     a folder of modules
  $ cat settings.json | spec-hooks convert - --to service --json

With --json:
  { "to", "content": { … } | "modules": [{ "name", "text" }],
    "losses": [{ "level": "dropped" | "changed" | "converted", "field", "position": { "file", "line", "column", "path" }, "message" }] }

Exit code: 0 it means the same, 1 something was dropped or means something else, or could not be read, 2 wrong usage.`;

/** `spec-hooks convert`: a settings file in another format. */
export function addConvertCommand(program: Command): void {
  program
    .command('convert')
    .description('write a settings file in another format; say what that loses')
    .argument('<file>', 'a settings file, or - for standard input')
    .addOption(
      new Option('--to <format>', 'the format to write')
        .choices([...dialectNames, 'typescript'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--from <format>', 'the format of the file (default: by its key, or its shape)').choices(
        dialectNames,
      ),
    )
    .option('--out <path>', 'a file, for typescript a folder (default: standard output)')
    .option('--force', 'write over files that are there')
    .option('--json', 'print the result as JSON')
    .showHelpAfterError(exampleAfterError('convert .claude/settings.json --to hub'))
    .addHelpText('after', writeDetails(details))
    .action(async (file: string, flags: ConvertFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { convertFile } = await import('./run.ts');
      process.exitCode = await convertFile(file, flags);
    });
}
