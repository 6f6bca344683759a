import { createHash } from 'node:crypto';
import type { MessageRow, NamedRun } from '../api.ts';
import { writeSizes } from '../sizes.ts';
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

/** The style sheet of an exported conversation. */
const style = `
:root { color-scheme: light dark; --ink-2: light-dark(#5a6470, #9aa4b0); --line: light-dark(#e3e6ea, #2c3138); --warm: light-dark(#8a5a00, #e0b25a); --bad: light-dark(#b3261e, #f28b82); font: 14px/20px system-ui, sans-serif; }
body { max-width: 880px; margin: 0 auto; padding: 24px 16px 64px; background: light-dark(#fff, #16181c); color: light-dark(#1b1f24, #e3e6ea); }
h1 { font-size: 18px; line-height: 24px; margin: 0; overflow-wrap: anywhere; }
header p, .role, i { color: var(--ink-2); margin: 0; }
article { padding: 12px 0; border-top: 1px solid var(--line); }
header { padding-bottom: 16px; }
time { font-variant-numeric: tabular-nums; }
.role, ul { font-size: 12px; line-height: 18px; }
pre { margin: 4px 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
.user pre { font-weight: 600; }
pre.calls, i { font-family: ui-monospace, monospace; font-size: 12px; font-style: normal; font-weight: 400; }
ul { list-style: none; margin: 4px 0 0; padding: 0; color: var(--ink-2); }
li b { font-weight: 500; }
.changed b { color: var(--warm); }
:is(.denied, .failed, .timed_out, .invalid_input, .invalid_result) b { color: var(--bad); }
`;
