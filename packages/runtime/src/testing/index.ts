export type { ScriptedAnswer, ScriptedModel, ScriptedReply, ScriptedStep, ScriptedToolCall } from './scripted-model.ts';
export { scriptedModel } from './scripted-model.ts';
