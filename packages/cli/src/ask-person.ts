import { createInterface } from 'node:readline/promises';

/**
 * Asks a person at a terminal; anything else has to say `--yes`.
 *
 * @param action what `--yes` would do, after "to"
 */
export async function askPerson(question: string, action: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    process.stderr.write(`spec-hooks: there is no terminal to ask on. Add --yes to ${action}.\n`);
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
