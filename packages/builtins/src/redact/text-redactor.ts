import { createHmac, randomBytes } from 'node:crypto';
import { createCleanTexts } from './clean-texts.ts';
import { createMemory } from './memory.ts';
import { checkedOptions, type RedactOptions } from './options.ts';
import { atOnce } from './pieces.ts';
import { redactSingle } from './subjects.ts';

/**
 * Makes a function that replaces the same values in a text as `redact`, for texts shown beside a conversation. Each text stands alone: its
 * placeholders are numbered from 1, and nothing is kept.
 *
 * @throws {DefinitionError} `bad_option`, naming the option
 */
export function textRedactor(options: RedactOptions = {}): (text: string) => string {
  const { redactor } = checkedOptions(options);
  const key = randomBytes(32);
  const mark = (label: string, value: string): string =>
    createHmac('sha256', key).update(`${label}\0${value}`).digest('hex');
  return (text) => {
    const memory = createMemory({ writer: 'text', mark });
    const redaction = {
      redactor,
      memory,
      clean: createCleanTexts(),
      seen: { origin: 'conversation' },
    } as const;
    return atOnce(redactSingle(text, redaction));
  };
}
