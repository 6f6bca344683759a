import type { EntryAnswer } from '../../normal-form.ts';

const NOT_ALL = 'its allow does not count: the call does more than its matcher names, or may do more';

/** An allow covers what the entry's matcher names, and nothing else that the call does. */
export function allowingOnly(answer: EntryAnswer, isAll: () => boolean): EntryAnswer {
  if (answer.decision !== 'allow' || isAll()) return answer;
  const { decision: _, ...said } = answer;
  return { ...said, uncounted: NOT_ALL };
}
