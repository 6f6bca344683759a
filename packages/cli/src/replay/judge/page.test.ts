import { expect, test } from 'vitest';
import { writePage } from './page.ts';
import type { JudgedReport } from './report.ts';

const hostile = `</td></script><script>alert(1)</script><img src=x onerror="a()">" onclick='b()' &amp; \u202egnp.exe \u001b[2J`;
const count = {
  hook: 'before_tool_call',
  id: hostile,
  source: hostile,
  denied: 1,
  asked: 0,
  unknown: 0,
} as const;
const report: JudgedReport = {
  version: 1,
  hooksFrom: hostile,
  notImported: [hostile],
  files: 1,
  sessions: 1,
  calls: 1,
  messages: 1,
  interrupted: true,
  hooks: [count],
  redacted: { [hostile]: 1 },
  found: 2,
  findings: [
    {
      hook: 'before_tool_call',
      id: hostile,
      outcome: 'denied',
      tool: hostile,
      input: hostile,
      reason: hostile,
      session: hostile,
      time: hostile,
    },
  ],
  unread: [{ file: hostile, line: 1, problem: hostile, lines: 1 }],
  ms: 1,
};

test('texts are only texts: no markup, no attribute, nothing that turns what stands around', () => {
  const page = writePage(report);
  const tags = new Set([...page.matchAll(/<\/?([a-z0-9!]+)/gi)].map(([, name]) => name));
  expect([...tags].sort()).toEqual([
    '!doctype',
    'b',
    'bdi',
    'body',
    'code',
    'h1',
    'h2',
    'head',
    'html',
    'li',
    'meta',
    'p',
    'span',
    'style',
    'table',
    'td',
    'th',
    'title',
    'tr',
    'ul',
  ]);
  const attributes = new Set(
    [...page.matchAll(/<[a-z0-9]+ ([^>]*)>/gi)].flatMap(([, all = '']) =>
      [...all.matchAll(/([\w-]+)="/g)].map(([, name]) => name),
    ),
  );
  expect([...attributes].sort()).toEqual(['charset', 'class', 'content', 'http-equiv', 'lang', 'name']);
  expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(page).not.toContain('\u001b');
  expect(page).toContain('\\u{202e}gnp.exe');
});

test('the page may load and run nothing', () => {
  const page = writePage(report);
  expect(page).toContain(`content="default-src 'none'; style-src 'sha256-`);
  expect(page).not.toMatch(/(?:src|href)=["']/);
  expect(page).not.toContain('url(');
  expect(page).toContain('prefers-color-scheme: dark');
});
