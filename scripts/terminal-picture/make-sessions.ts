/** Some tool calls as Claude Code records them: the picture shows what is found in them. */
const calls: readonly [tool: string, input: Readonly<Record<string, string>>, result: string][] = [
  ['Bash', { command: 'npm test' }, '48 tests passed'],
  ['Read', { file_path: '/work/shop/.env' }, 'STRIPE_KEY=…'],
  ['Bash', { command: 'git add -A && git commit --no-verify -m "Fix the cart"' }, 'done'],
  ['Bash', { command: 'psql shop -c "select email from customers limit 1"' }, 'ada@example.com'],
  ['Bash', { command: 'cd build && rm -rf ~/' }, 'done'],
  ['Bash', { command: 'npm run build' }, 'built in 3 s'],
  ['Bash', { command: 'git push --force origin main' }, 'forced update'],
];

/** The lines of a session file. */
export function makeSession(): string {
  return calls.map(([name, input, content], n) => callLines({ name, input, content }, n)).join('');
}

function callLines(
  { name, input, content }: { readonly name: string; readonly input: object; readonly content: string },
  n: number,
): string {
  const id = `toolu_0000000000000000${n}`;
  const timestamp = new Date(Date.UTC(2026, 10, 20, 9, 12 + 3 * n)).toISOString();
  const common = { sessionId: '5b3f1c8e-7a02-4c1d-9e55-0c6f2a1b7d34', cwd: '/work/shop', timestamp };
  const call = { content: [{ type: 'tool_use', id, name, input }] };
  const result = { content: [{ type: 'tool_result', tool_use_id: id, content }] };
  return [
    { type: 'assistant', uuid: `call-${n}`, ...common, message: call },
    { type: 'user', uuid: `result-${n}`, ...common, message: result },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}
