import type { AboutInspector } from '../../api.ts';
import type { AskList, ShownAsk } from '../../asks.ts';
import { useAsked } from './ask.ts';

/** The questions that wait for a person, none where nobody may answer from here; `undefined` until that is known. */
export function useOpenAsks(): readonly ShownAsk[] | undefined {
  const { data: about } = useAsked<AboutInspector>('/api/about', false);
  const mayAnswer = about?.allows.includes('answers');
  const { data } = useAsked<AskList>(mayAnswer ? '/api/asks' : null);
  return mayAnswer === false ? [] : data?.asks;
}

/** What a question is about, in a few words. */
export function describeAsk({ about, tool, model }: ShownAsk): string {
  if (about === 'tool_call') return `may ${tool} run?`;
  return about === 'user_message' ? 'may a message be sent?' : `may ${model} be called?`;
}
