// A program that runs the commands of its argument, prints how each ended, and exits after so many milliseconds where `EXITS_AFTER` says so.
import { inputFolder } from '../src/run/input-file.ts';
import { type CommandStart, runCommand } from '../src/run/run-command.ts';

const starts = JSON.parse(process.argv[2] as string) as readonly CommandStart[];
console.log(inputFolder());
const runs = starts.map(async (start) => {
  const { stdout: _out, stderr: _err, ms: _ms, ...outcome } = await runCommand(start);
  console.log(JSON.stringify(outcome));
});
if (process.env.EXITS_AFTER !== undefined) setTimeout(() => process.exit(5), Number(process.env.EXITS_AFTER));
await Promise.all(runs);
