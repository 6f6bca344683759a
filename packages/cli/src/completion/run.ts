import type { Command } from 'commander';
import { valueNames } from '../value-names.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { type CompletedCommand, commandTable } from './table.ts';
import { zshScript } from './zsh.ts';

const scripts: Readonly<Record<'bash' | 'zsh' | 'fish', (table: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Writes the completion script of a shell, made of the command table. */
export async function completion(program: Command, shell: 'bash' | 'zsh' | 'fish'): Promise<void> {
  process.stdout.write(scripts[shell](commandTable(program, await valueNames())));
}
