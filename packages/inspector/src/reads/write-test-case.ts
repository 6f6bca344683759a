import type { RerunResult, StoredEvent } from '../ports.ts';

const decisions = ['deny', 'ask', 'allow'] as const;

/** What hooks made of an event, as a file for `spec-hooks test`: YAML, whose values are JSON. */
export function writeTestCase({ hook, input }: StoredEvent, { decision, reason, runs }: RerunResult): string {
  const decided = decisions.find((one) => one === decision);
  const by = runs.find(({ outcome }) => outcome === 'denied' || outcome === 'asked')?.id;
  const tool = typeof input.tool_name === 'string' ? ` of ${input.tool_name}` : '';
  const expected = {
    decision: decided ?? 'none',
    ...(by !== undefined && { by }),
    ...(decided !== undefined && isPlain(reason) && { reason }),
  };
  const fields = { name: `${hook}${tool}`, event: hook, input, expect: expected };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${writeValue(value)}`);
  return `cases:\n  - ${lines.join('\n    ')}\n`;
}

/** JSON is YAML, except for characters that YAML does not allow: those are written by their numbers. */
function writeValue(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What stands between slashes would be taken for a regular expression. */
function isPlain(reason: string | null | undefined): reason is string {
  return reason != null && reason !== '' && !/^\/.*\/$/s.test(reason);
}
