import { issuePaths } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { z } from 'zod';
import type { EntryAnswer } from '../../normal-form.ts';
import type { ClaudeEvent } from '../claude/events.ts';

const part = z.union([z.string(), z.looseObject({ text: z.string().optional() })]);

/** The fields of an answer before the model is called. */
const schema = z.looseObject({
  llm_request: z
    .looseObject({
      model: z.string().nullish(),
      messages: z.array(z.json()).nullish(),
      config: z.record(z.string(), z.json()).nullish(),
    })
    .nullish(),
  llm_response: z
    .looseObject({
      text: z.string().nullish(),
      candidates: z
        .array(z.looseObject({ content: z.looseObject({ parts: z.array(part).nullish() }).nullish() }))
        .nullish(),
    })
    .nullish(),
  toolConfig: z
    .looseObject({
      mode: z.enum(['AUTO', 'ANY', 'NONE']).nullish(),
      allowedFunctionNames: z.array(z.string()).nullish(),
    })
    .nullish(),
});

type Fields = z.infer<typeof schema>;

const CHOICES = { AUTO: 'auto', ANY: 'required', NONE: 'none' } as const;

/** What an answer wants of the request. An answer in the model's place counts with a deny alone. */
export function readModelAnswer(event: ClaudeEvent, specific: unknown, isDeny: boolean): EntryAnswer {
  const { data: fields, error } = schema.safeParse(specific ?? {});
  if (fields === undefined) {
    const why = `its answer has a field that does not fit: ${issuePaths(error.issues)}`;
    return { failure: { effect: 'onInvalidOutput', why } };
  }
  if (event.blocking === 'none') return readSelection(fields);
  const output = readResponse(fields);
  if (isDeny) return output === undefined ? {} : { output };
  const { model, messages, config } = fields.llm_request ?? {};
  const request = {
    ...(typeof model === 'string' ? { model } : {}),
    ...(Array.isArray(messages) ? { messages } : {}),
    ...(config === undefined || config === null ? {} : { settings: config }),
  };
  return Object.keys(request).length === 0 ? {} : { request: request as JsonObject };
}

/** Without a mode, tools can be named only where the model may choose. */
function readSelection({ toolConfig }: Fields): EntryAnswer {
  const { mode, allowedFunctionNames: tools } = toolConfig ?? {};
  const request = {
    ...(typeof mode === 'string' ? { toolChoice: CHOICES[mode] } : {}),
    ...(Array.isArray(tools) && tools.length > 0 && mode !== 'NONE' ? { tools } : {}),
  };
  return Object.keys(request).length === 0 ? {} : { request };
}

function readResponse({ llm_response: response }: Fields): string | undefined {
  if (response === undefined || response === null) return undefined;
  const parts = response.candidates?.[0]?.content?.parts ?? [];
  const words = parts.map((one) => (typeof one === 'string' ? one : (one.text ?? ''))).join('');
  return words || response.text || undefined;
}
