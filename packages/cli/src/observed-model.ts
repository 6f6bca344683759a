import type { LanguageModel } from '@spec/runtime';

/** What a model is sent: system message and history. */
export type ModelPrompt = Parameters<LanguageModel['doStream']>[0]['prompt'];

/** The same model, but somebody is told what it is sent. */
export function observedModel(model: LanguageModel, onCall: (prompt: ModelPrompt) => void): LanguageModel {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    doStream(options) {
      onCall(options.prompt);
      return model.doStream(options);
    },
  };
}
