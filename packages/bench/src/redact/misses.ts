// `npx tsx --conditions=@spec/source packages/bench/src/redact/misses.ts [plain|disguised|alarms] [part of a kind's name]`:
// what this project misses in the half of the texts that detectors are worked on with, or what it finds in harmless lines.
import { ours } from './contenders.ts';
import { findFalseAlarms, harmlessLines } from './harmless.ts';
import { kinds } from './kinds.ts';
import { findMisses, makeTexts } from './recall.ts';

const [manner = 'plain', part = ''] = process.argv.slice(2);

if (manner === 'alarms') {
  const lines = harmlessLines();
  const alarms = await findFalseAlarms(ours(), lines);
  for (const { source, text } of alarms)
    console.log(`${source}\n  ${text.slice(0, 300)}\n  ${(await ours().redact(text)).slice(0, 300)}`);
  console.log(`${alarms.length} of ${lines.length} lines`);
} else {
  for (const kind of kinds.filter(({ name }) => name.includes(part))) {
    const texts = makeTexts(kind, manner === 'plain' ? 'plain' : 'disguised', 'tuning');
    const missed = await findMisses(ours(), texts);
    if (part !== '') for (const { context, text } of missed) console.log(JSON.stringify({ context, text }));
    console.log(`${kind.name}: ${texts.length - missed.length} of ${texts.length} found`);
  }
}
