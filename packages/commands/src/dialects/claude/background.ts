import { z } from 'zod';
import type { CompiledEntry } from '../../normal-form.ts';
import { readAnswer } from '../../run/read-output.ts';
import type { ClaudeEvent } from './events.ts';

const schema = z.looseObject({ async: z.literal(true), asyncTimeout: z.number().positive().optional() });

const utf8 = new TextEncoder();

/** `{"async": true, "asyncTimeout": …}` as the first line, on events that nothing can be refused on. */
export function backgroundOf({ blocking }: ClaudeEvent): Pick<CompiledEntry, 'background'> {
  if (blocking !== 'tell' && blocking !== 'feedback') return {};
  return {
    background(firstLine) {
      const said = readAnswer({ stdout: utf8.encode(firstLine) });
      const { data } = schema.safeParse(said.kind === 'json' ? said.value : undefined);
      if (data === undefined) return undefined;
      return data.asyncTimeout === undefined ? {} : { timeoutMs: data.asyncTimeout };
    },
  };
}
