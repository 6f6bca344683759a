import type { Command } from 'commander';

/** Adds the options that say which hooks a command is about, in place of those that the configuration names. */
export function addProjectOptions(command: Command): Command {
  return command
    .option('--config <file...>', 'settings or rule files, in place of what hooks.config.ts names')
    .option('--hooks <dir>', 'a folder of hook modules, in place of what hooks.config.ts names')
    .option('--trust', 'take the settings files for trusted, whatever they would run');
}

/** What `--help` says of where hooks are looked for. */
export const projectHelp = `
Hooks are those of the nearest hooks.config.ts, upwards from the working folder; without one, those in hooks/,
.claude/settings.json, .claude/settings.local.json and hub.json.`;
