import { defineHook } from '@spec/hooks';

export default defineHook({
  hook: 'after_tool_call_success',
  id: 'log_tool_calls',
  execute: async (state, toolCall, result) => {
    console.log({
      event: 'tool_success',
      step: state.execution.stepCount,
      tool: toolCall.function.name,
      // Sizes, not values: what a tool was told and what it answered may be nobody's business.
      argsSize: toolCall.function.arguments.length,
      resultSize: result.result?.length ?? 0,
    });
    return null; // Use original result
  },
});
