import {
  type HookMessage,
  type HookToolCall,
  type LifecycleName,
  lifecycleRow,
  lifecycleTable,
} from '@spec/hooks';
import { pc } from '../colours.ts';
import { HookStatistics, hookTable } from '../hook-tally.ts';
import type { ModelPrompt } from '../observed-model.ts';
import { writeParagraph } from '../paragraph.ts';
import type { Carried } from '../project/carried.ts';
import { clip, formatMs, heading, renderTable } from '../table.ts';
import { terminalWidth } from '../terminal-width.ts';
import type { DemoResult } from './run-demo.ts';

/** The demonstration as a person reads it. */
export function showDemo(
  { label, db, thread, runs, prompts, stored, said, ms }: DemoResult,
  carried: Carried,
): string {
  const statistics = new HookStatistics();
  statistics.add(runs);
  return [
    `${pc.bold('A support agent with hooks')}, answered by ${label}.`,
    heading('What the customer said'),
    textTable(said.map((text) => ['user', text])),
    heading('What each hook did'),
    hookTable(statistics, carried),
    ...withheldLines(runs),
    heading('What the model saw last', `in call ${prompts.length}`),
    textTable((prompts.at(-1) ?? []).map((message) => [message.role, promptText(message)])),
    heading('What was stored', db ?? 'in memory; --keep or --db <file> keeps it'),
    textTable(stored.map((message) => [message.role, storedText(message)])),
    `\n${pc.green('✓')} ${stored.length} messages, ${runs.length} hook runs, ${prompts.length} model calls in ${formatMs(ms)}.`,
    pc.dim('Replay recorded conversations through the same hooks: npx spec-hooks replay FILE.jsonl'),
    ...(db === null
      ? []
      : [`See what each hook did: ${pc.bold(`npx spec-hooks inspect ${thread} --db ${db} --open`)}`]),
  ].join('\n');
}

/** What hooks that hang or fail were to look at. */
function withheldLines(runs: DemoResult['runs']): string[] {
  const failed = runs.filter(({ hook, outcome }) => {
    const isFailure = !['ok', 'changed', 'skipped', 'denied', 'asked'].includes(outcome);
    return isFailure && hook in lifecycleTable && lifecycleRow(hook as LifecycleName).withhold !== undefined;
  });
  if (failed.length === 0) return [];
  const lines = failed.map(({ id, outcome, why = '' }) =>
    writeParagraph(
      `${pc.bold(id)} ${outcome.replace('_', ' ')} (${why}): what it was to look at is withheld from the model and from the store.`,
    ),
  );
  return [heading('What did not get through'), ...lines];
}

function textTable(rows: readonly (readonly [string, string])[]): string {
  const width = terminalWidth() - 14;
  const lines = rows.map(([role, text]) => [pc.dim(role), highlight(clip(text, 2 * width))]);
  return renderTable(
    [
      { title: 'role', width: 11 },
      { title: 'text', width },
    ],
    lines,
  );
}

/** Placeholders stand out. */
function highlight(text: string): string {
  return text.replace(/\[[A-Z_]+_\d+\]/g, (placeholder) => pc.yellow(placeholder));
}

function storedText({ content, tool_calls }: HookMessage): string {
  const calls = JSON.parse(tool_calls ?? '[]') as HookToolCall[];
  return [content, ...calls.map(({ function: { name, arguments: input } }) => `${name}(${input})`)]
    .filter(Boolean)
    .join(' ');
}

function promptText({ content }: ModelPrompt[number]): string {
  if (typeof content === 'string') return content;
  return content.map(partText).join(' ');
}

function partText(part: Exclude<ModelPrompt[number]['content'], string>[number]): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'tool-call') return `${part.toolName}(${JSON.stringify(part.input)})`;
  return part.type === 'tool-result' && part.output.type === 'text' ? part.output.value : part.type;
}
