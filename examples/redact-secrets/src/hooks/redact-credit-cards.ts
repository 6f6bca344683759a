import { defineHook } from '@spec/hooks';

const CARD = /\b\d{4}[-\s]?\d{4}[-\s]?\d{4}[-\s]?\d{4}\b/g;
const hideCards = (text?: string) => text?.replace(CARD, '****-****-****-****');

export default defineHook({
  hook: 'before_store_tool_result',
  id: 'redact_credit_cards',
  execute: async (_state, _toolCall, result) =>
    result.status === 'error'
      ? { status: 'error', error: hideCards(result.error) } // a tool that fails may name the card, too
      : { ...result, result: hideCards(result.result) },
});
