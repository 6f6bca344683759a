import { defineHook } from '@spec/hooks';

const CARD = /\b\d{4}[-\s]?\d{4}[-\s]?\d{4}[-\s]?\d{4}\b/g;
const hideCards = (text?: string) => text?.replace(CARD, '****-****-****-****');

export default defineHook({
  hook: 'before_store_tool_result',
  id: 'redact_credit_cards',
  // A tool that fails may name a card in its error, too.
  execute: async (_state, _toolCall, { result, error, stack, ...rest }) => ({
    ...rest,
    ...(result !== undefined && { result: hideCards(result) }),
    ...(error !== undefined && { error: hideCards(error) }),
    ...(stack !== undefined && { stack: hideCards(stack) }),
  }),
});
