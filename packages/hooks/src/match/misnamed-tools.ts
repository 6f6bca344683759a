/** A name that a matcher has and no tool, with the tool that is spelled nearly so. */
export interface MisnamedTool {
  readonly written: string;
  readonly meant: string;
}

/**
 * The tools that a matcher names in another case or with other separators, such as `RunCommand` for `run_command`: names of tools are
 * compared as they are, so that part of the matcher never fits. Patterns with `*` and regular expressions of more than names are passed over.
 *
 * @param source the matcher as text, as a compiled matcher has it
 */
export function findMisnamedTools(source: string, tools: Iterable<string>): MisnamedTool[] {
  const all = [...tools];
  const known = new Set(all);
  return namesIn(source).flatMap((written) => {
    if (known.has(written)) return [];
    const meant = all.find((tool) => toLetters(tool) === toLetters(written));
    return meant === undefined ? [] : [{ written, meant }];
  });
}

/** The names in a string of tools, in the tools of an object, and in a regular expression that is but names. */
function namesIn(source: string): string[] {
  const ofObject = /^(?:tools|paths|commands|input\b[^:]*): /.exec(source)?.[0];
  if (ofObject !== undefined && !source.startsWith('tools: ')) return [];
  const [tools = ''] = source.slice(ofObject?.length ?? 0).split(', ');
  const isRegex = /^[/^]/.test(tools);
  if (isRegex && /\/[a-z]*i[a-z]*$/.test(tools)) return [];
  return tools
    .replace(/^\/|\/[a-z]*$/g, '')
    .replace(/^\^\(?(?:\?:)?|\)?\$$/g, '')
    .split(/\|(?![^()]*\))/)
    .map((part) => part.replace(/\([^()]*\)$/, '').trim())
    .filter((name) => /^[\p{L}\p{N}_.:@-]+$/u.test(name) && !(isRegex && name.includes('.')));
}

function toLetters(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}
