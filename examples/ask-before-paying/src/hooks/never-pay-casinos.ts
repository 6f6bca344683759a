import { defineHook } from '@spec/hooks';

/** A deny holds whatever anybody else says: no person is asked about it. */
export default defineHook({
  hook: 'before_tool_call',
  id: 'never_pay_casinos',
  match: { tools: 'pay', input: { to: '\\b[Cc]asino\\b' } },
  execute: async (_state) => ({ decision: 'deny', reason: 'We do not pay casinos.' }),
});
