import { defineHook } from '@spec/hooks';

/** Answers for the person where no more than 20 € are at stake. */
export default defineHook({
  hook: 'before_permission_request',
  id: 'pay_small_amounts',
  match: 'pay',
  execute: async (_state, { toolCall }) => {
    const { euros } = JSON.parse(toolCall.function.arguments) as { euros: number };
    return euros <= 20 ? { decision: 'allow' } : { decision: 'ask', reason: `${euros} € is more than 20 €.` };
  },
});
