import { pc } from '../colours.ts';
import { formatMs, heading, writeCount } from '../table.ts';
import type { Gate } from './gates.ts';
import type { Failure, JudgedCase } from './judge-case.ts';

/** What `--json` prints. */
export interface TestReport {
  readonly ok: boolean;
  readonly cases: readonly JudgedCase[];
  readonly gates: readonly Gate[];
  readonly findings: readonly string[];
}

/** How cases came out, for a person at a terminal. */
export function renderTestReport({ ok, cases, gates, findings }: TestReport): string {
  const files = [...new Set(cases.map(({ file }) => file))];
  const failed = cases.filter((one) => !one.ok).length;
  const proven = gates.filter(({ isProven }) => isProven).length;
  const parts = [
    `${writeCount(cases.length - failed, 'case')} passed`,
    ...(failed === 0 ? [] : [pc.red(`${failed} failed`)]),
    `${proven} of ${writeCount(gates.length, 'gate')} proven`,
  ];
  return [
    ...files.map(
      (file) =>
        `${heading(file)}\n${cases
          .filter((one) => one.file === file)
          .map(caseText)
          .join('\n')}`,
    ),
    ...(findings.length === 0
      ? []
      : [heading('Findings'), ...findings.map((text) => `${pc.yellow('!')} ${text}`)]),
    `\n${ok ? pc.green('✓') : pc.red('✗')} ${parts.join(', ')}.`,
  ]
    .join('\n')
    .trimStart();
}

function caseText({ name, line, ok, ms, failures, problem }: JudgedCase): string {
  const title = `${ok ? pc.green('✓') : pc.red('✗')} ${name}  ${pc.dim(ok ? formatMs(ms) : `line ${line}`)}`;
  return [title, ...(problem === null ? [] : [`    ${problem}`]), ...failures.map(failureText)].join('\n');
}

function failureText({ field, expected, actual }: Failure): string {
  return `    ${field}: expected ${pc.green(JSON.stringify(expected))}, got ${pc.red(JSON.stringify(actual))}`;
}
