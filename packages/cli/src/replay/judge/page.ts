import { createHash } from 'node:crypto';
import { printable } from '../../printable.ts';
import { formatCount, writeCount } from '../../table.ts';
import type { Finding, HookCount } from './findings.ts';
import {
  describeGaps,
  describeHooks,
  describeRedacted,
  describeUnread,
  type JudgedReport,
  shortenSession,
  verdictNames,
} from './report.ts';

const style = `
:root { color-scheme: light dark; --line: #8884; --dim: #777; --denied: #c22; --asked: #a60; }
@media (prefers-color-scheme: dark) { :root { --dim: #999; --denied: #f77; --asked: #fb5; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); }
td { overflow-wrap: anywhere; }
.number { text-align: right; }
.dim, th { color: var(--dim); }
.denied { color: var(--denied); }
.asked { color: var(--asked); }
`;

/** The report as one page: no script, nothing from elsewhere, and every text in it is only text. */
export function writePage(report: JudgedReport): string {
  const { files, sessions, calls, redacted, findings, unread } = report;
  const read = `${writeCount(files, 'file')}, ${writeCount(sessions, 'session')}, ${writeCount(calls, 'tool call')}`;
  const hash = createHash('sha256').update(style).digest('base64');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<title>What hooks would have done</title>
<style>${style}</style>
</head>
<body>
<h1>What hooks would have done</h1>
<p>${safe(read)}; ${safe(describeHooks(report))}.</p>
${describeGaps(report)
  .map((sentence) => `<p>${safe(sentence)}</p>`)
  .join('\n')}
<table>
<tr><th>hook</th>${Object.values(verdictNames)
    .map((name) => `<th class="number">${name}</th>`)
    .join('')}</tr>
${report.hooks.map(hookRow).join('\n')}
</table>
${redacted === null ? '' : `<h2>What redact would have replaced</h2>\n<p>${safe(describeRedacted(redacted))}</p>`}
<h2>Call by call, the newest first</h2>
<table>
<tr><th>would be</th><th>call</th><th>why</th><th>session</th></tr>
${findings.map(findingRow).join('\n')}
</table>
${unread.length === 0 ? '' : `<h2>What could not be read</h2>\n<ul>${unread.map((one) => `<li>${safe(describeUnread(one))}</li>`).join('')}</ul>`}
</body>
</html>
`;
}

function hookRow({ id, denied, asked, unknown }: HookCount): string {
  const counts = [denied, asked, unknown].map((count) => `<td class="number">${formatCount(count)}</td>`);
  return `<tr><td>${safe(id)}</td>${counts.join('')}</tr>`;
}

function findingRow({ outcome, id, tool, input = '', reason = '', session, time }: Finding): string {
  const name = tool === undefined ? '' : `<b>${safe(tool)}</b> `;
  return `<tr><td class="${outcome}">${verdictNames[outcome]}</td><td>${name}<code>${safe(input)}</code></td><td>${safe(reason)} <span class="dim">${safe(id)}</span></td><td class="dim">${safe(shortenSession(session))} ${safe(time.slice(0, 16).replace('T', ' '))}</td></tr>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text of somebody else's: no markup, and nothing in it turns what stands around it. */
function safe(text: string): string {
  return `<bdi>${printable(text).replace(/[&<>"']/g, (one) => entities[one] ?? '')}</bdi>`;
}
