import { DefinitionError } from '@spec/hooks';

/**
 * The cases that a runtime is known to fail, each with the reason: `{ "subagents.policies_apply_inside": "there are none yet" }`.
 * Published with the runtime, it says what one can rely on; an entry that no longer holds fails the run.
 */
export type Baseline = Readonly<Record<string, string>>;

/**
 * Reads a baseline's JSON.
 *
 * @throws {DefinitionError} `bad_option` where it is no object of reasons by case id; the message names the entry.
 */
export function parseBaseline(json: string): Baseline {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new DefinitionError('bad_option', 'The baseline is not JSON.');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new DefinitionError('bad_option', 'A baseline is an object: { "<case id>": "<why it fails>" }.');
  for (const [id, reason] of Object.entries(parsed)) {
    if (typeof reason === 'string' && reason.trim() !== '') continue;
    throw new DefinitionError(
      'bad_option',
      `The baseline gives no reason for "${id}": say in a sentence why it fails.`,
    );
  }
  return parsed as Baseline;
}
