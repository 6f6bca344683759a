import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { demoScript } from './support-agent.ts';

export interface DemoModel {
  readonly model: LanguageModel;
  /** For the reader: who answers. */
  readonly label: string;
}

/**
 * A real model where `OPENAI_API_KEY` is set (with `OPENAI_BASE_URL` and `OPENAI_MODEL` for any provider that speaks the
 * same protocol), else the script.
 */
export function demoModel(env: NodeJS.ProcessEnv): DemoModel {
  const {
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1',
    OPENAI_MODEL: name = 'gpt-4o-mini',
  } = env;
  if (apiKey === undefined || apiKey === '')
    return {
      model: scriptedModel(demoScript),
      label: 'a scripted model (set OPENAI_API_KEY for a real one)',
    };
  return { model: createOpenAICompatible({ name: 'openai', baseURL, apiKey }).chatModel(name), label: name };
}
