// A thread that reads a shell line, and tells how many characters regular expressions were given meanwhile: a count that no busy machine changes.
// It has a thread of its own because an engine whose `exec` was once replaced runs every later regular expression several times slower.
import { parentPort, workerData } from 'node:worker_threads';
import { plainCommand } from '../../src/match/shell/plain-command.ts';
import { simpleCommands } from '../../src/match/shell/simple-commands.ts';

let count = 0;
const { exec } = RegExp.prototype;
RegExp.prototype.exec = function counting(this: RegExp, text: string) {
  count += this.sticky ? 1 : text.length;
  return exec.call(this, text);
};
const lines = workerData as readonly string[];
const counts = lines.map((line) => {
  count = 0;
  simpleCommands(line);
  plainCommand(line);
  return count;
});
parentPort?.postMessage(counts);
