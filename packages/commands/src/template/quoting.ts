// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${…} is shell here
import type { ShellLine } from '@spec/hooks';
import { badTemplate, type Placeholder } from './placeholders.ts';

/** How a value must be quoted at its place. */
export type Quoting = 'bare' | 'single' | 'double';

type Span = ShellLine['spans'][number];

/** Places where quotes do not protect a value, and what to write instead. */
const unsafe: Readonly<Partial<Record<Span['kind'], string>>> = {
  ansi: "is inside $'…', which shells read in different ways. Write '…' instead.",
  backticks: 'is inside backticks, where quotes do not hold. Write $(…) instead of the backticks.',
  parameter: 'is inside ${…}, where quotes do not hold. Set a variable first: v=VALUE; echo "${v:-none}".',
  arithmetic:
    'is inside an arithmetic expression, which runs what it finds in an index. Compare it as text: [ VALUE -gt 5 ].',
  comment: 'is in a comment, where a line break in the value would end the comment. Take it out of there.',
  'here-document':
    "is in a here-document, where quotes do not hold. Write printf '%s\\n' VALUE | command instead.",
};

/**
 * How the value of a placeholder must be quoted.
 * @throws {DefinitionError} `bad_template` if no quoting is safe at its place
 */
export function quotingAt(command: string, placeholder: Placeholder, { spans }: ShellLine): Quoting {
  const refuse = (problem: string) =>
    badTemplate(
      command,
      placeholder,
      problem.replace('VALUE', () => placeholder.text),
    );
  const around = spans
    .filter(({ start, end }) => start <= placeholder.start && placeholder.end <= end)
    .sort((a, b) => a.start - b.start);
  for (const { kind } of around) {
    const problem = unsafe[kind];
    if (problem !== undefined) throw refuse(problem);
  }
  const quoting = quotingIn(around.at(-1)?.kind);
  const before = command[placeholder.start - 1];
  if (quoting !== 'single' && (before === '$' || before === '\\'))
    throw refuse(`comes right after ${before}, which would change how its quotes are read. Take that out.`);
  return quoting;
}

function quotingIn(innermost: Span['kind'] | undefined): Quoting {
  return innermost === 'single' || innermost === 'double' ? innermost : 'bare';
}

/** The value as shell text for such a place; the shell reads it back byte for byte. */
export function quote(value: string, quoting: Quoting): string {
  const inner = value.replaceAll("'", "'\\''");
  if (quoting === 'single') return inner;
  return quoting === 'double' ? `"'${inner}'"` : `'${inner}'`;
}

/** Whether all shells read the line alike. If only some take a character for a quote, all later places differ. */
export function isReadAlike(command: string, { spans }: ShellLine): boolean {
  return !spans.some(({ kind, start, end }) => {
    if (kind === 'ansi') return true;
    const text = command.slice(start, end);
    return (kind === 'arithmetic' && text.includes('<<')) || (kind === 'parameter' && text.includes("'"));
  });
}
