import { readFileSync } from 'node:fs';
import { judge, parseBaseline, summaryOf } from '@spec/conformance';
import { aiSdk } from './subject.ts';

// How far one gets who keeps the AI SDK's loop and a table of one's own, and takes only the executor of @spec/hooks.

const baseline = parseBaseline(readFileSync(new URL('../baseline.json', import.meta.url), 'utf8'));
const judgement = await judge(aiSdk, { baseline, concurrency: 16, retries: 2 });

for (const { id, message } of judgement.verdicts.filter(({ outcome }) => outcome === 'failed'))
  console.log(`failed: ${id}: ${message}`);
for (const { id } of judgement.verdicts.filter(({ outcome }) => outcome === 'stale'))
  console.log(`stale: ${id}`);
for (const id of judgement.unknown) console.log(`unknown: ${id}`);
for (const [id, reason] of Object.entries(baseline)) console.log(`known to fail: ${id}: ${reason}`);
console.log(judgement.subject);
console.log(summaryOf(judgement));
process.exitCode = judgement.ok ? 0 : 1;
