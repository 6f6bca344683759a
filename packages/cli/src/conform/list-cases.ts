import { type Case, cases, casesNamed } from '@spec/conformance';
import { pc } from '../colours.ts';

/** The cases of an id or a topic with what they require: as text, or as JSON. */
export function listCases({ only, json }: { readonly only?: string; readonly json?: boolean }): string {
  const chosen = casesNamed(cases, only);
  return json ? JSON.stringify(chosen.map(toData), null, 2) : chosen.map(toText).join('\n');
}

function toText({ id, level, section, says }: Case): string {
  return `${pc.bold(id)}  ${level}, ${section}\n  ${says}`;
}

/** What a case says of itself, without its function. */
function toData({ id, section, level, says, needs = [], hooks = [] }: Case) {
  return { id, section, level, says, needs, hooks };
}
