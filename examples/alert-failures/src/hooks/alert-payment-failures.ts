import { defineHook } from '@spec/hooks';
import { sendAlert } from '../alerts.ts';

export default defineHook({
  hook: 'after_tool_call_failure',
  id: 'alert_payment_failures',
  match: 'payment_*',
  execute: async (state, toolCall) => {
    await sendAlert({
      level: 'critical',
      message: `Payment tool failed: ${toolCall.function.name}`,
      context: { step: state.execution.stepCount },
    });
    return null; // Use original error
  },
});
