import { createHash } from 'node:crypto';
import type { MessageRow, NamedRun } from '../api.ts';
import { writeSizes } from '../sizes.ts';
import { style } from './export-style.ts';
import { readConversation } from './read-conversation.ts';
import type { Source } from './read-threads.ts';

// E1 An exported page is text and a style sheet. Its own policy lets nothing else load or run, whoever opens it and wherever it lies.
// E2 Values of hooks are in no export.

const pageSize = 200;
/** Characters of a text that are exported. */
const wholeSize = 1_048_576;

/** The messages of a thread with the runs of hooks on each, the oldest first. */
async function* readWholeConversation(source: Source, thread: string): AsyncGenerator<MessageRow> {
  const pages: (readonly MessageRow[])[] = [];
  let before: string | undefined;
  do {
    const place = { size: pageSize, clip: wholeSize, ...(before !== undefined && { before }) };
    const page = await readConversation(source, thread, place);
    pages.push(page?.messages ?? []);
    before = page?.hasOlder ? page.messages[0]?.id : undefined;
  } while (before !== undefined);
  for (const messages of pages.reverse()) yield* messages;
}

/** A conversation as lines of JSON, a message each. */
export async function* exportLines(source: Source, thread: string): AsyncGenerator<string> {
  for await (const message of readWholeConversation(source, thread)) yield `${JSON.stringify(message)}\n`;
}

/** A conversation as one page that needs nothing else and runs nothing. */
export async function* exportPage(source: Source, thread: string, store: string): AsyncGenerator<string> {
  const hash = createHash('sha256').update(style).digest('base64');
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(thread)}</title>
<style>${style}</style>
</head>
<body>
<header><h1>${escapeText(thread)}</h1><p>${escapeText(store)}, exported ${new Date().toISOString()}</p></header>
<main>
`;
  for await (const message of readWholeConversation(source, thread)) yield writeMessage(message);
  yield '</main>\n</body>\n</html>\n';
}

function writeMessage({ role, name, createdAt, content, toolCalls, before, runs }: MessageRow): string {
  const at = new Date(createdAt / 1_000).toISOString();
  return [
    writeRuns(before),
    `<article class="${escapeText(role)}">`,
    `<p class="role">${escapeText(role)}${name === null ? '' : ` ${escapeText(name)}`} <time>${at}</time></p>`,
    content === null || content === '' ? '' : `<pre><bdi>${escapeText(content)}</bdi></pre>`,
    toolCalls === null ? '' : `<pre class="calls"><bdi>${escapeText(toolCalls)}</bdi></pre>`,
    writeRuns(runs),
    '</article>\n',
  ].join('');
}

function writeRuns(runs: readonly NamedRun[]): string {
  if (runs.length === 0) return '';
  return `<ul>${runs.map(writeRun).join('')}</ul>`;
}

function writeRun(run: NamedRun): string {
  const { hook, id, outcome, ms, changed, why, code } = run;
  const what = why ?? code ?? (changed ? writeSizes(run) : '');
  const took = outcome === 'skipped' ? '' : `${ms} ms`;
  const facts = [outcome.replace('_', ' '), what, took].filter((one) => one !== '').map(escapeText);
  return `<li class="${escapeText(outcome)}"><b><bdi>${escapeText(id)}</bdi></b> ${facts.join(' · ')} <i>${escapeText(hook)}</i></li>`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Whatever a text holds, it is shown and not obeyed: what turns, hides or ends is shown by its number. */
function escapeText(text: string): string {
  return text
    .replace(
      /(?!\n|\t|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}]/gu,
      (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`,
    )
    .replace(/[&<>"']/g, (found) => escapes[found] ?? '');
}
