import type { Command } from 'commander';

/**
 * Adds the options that say which hooks a command is about, in place of those that the configuration names.
 *
 * @param hasFiles the command has files for arguments: `--config` takes one file, and is repeated for more, so that it takes none of them
 */
export function addProjectOptions(
  command: Command,
  { hasFiles = false }: { readonly hasFiles?: boolean } = {},
): Command {
  const withConfig = hasFiles
    ? command.option(
        '--config <file>',
        'settings or rules instead of those configured; repeatable',
        (file: string, others: readonly string[] | undefined) => [...(others ?? []), file],
      )
    : command.option('--config <file...>', 'settings or rule files instead of those configured');
  return withConfig
    .option('--hooks <dir>', 'a folder of hook modules instead of those configured')
    .option('--trust', 'take the settings files for trusted');
}

/** What `--help` says of where hooks are looked for. */
export const projectHelp = `
Hooks are those of the nearest hooks.config.ts upwards, with the settings files that it names; without one, those in hooks/,
.claude/settings.json, .claude/settings.local.json and hub.json.`;
