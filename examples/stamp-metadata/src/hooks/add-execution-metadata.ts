import { defineHook } from '@spec/hooks';

export default defineHook({
  hook: 'before_create_message',
  id: 'add_execution_metadata',
  // It promises to change nothing else, so the answer can be streamed past it.
  changes: ['metadata'],
  execute: async (state, message) => {
    return {
      ...message,
      metadata: JSON.stringify({
        flow_id: state.execution.flowId,
        step: state.execution.stepCount,
        side: state.execution.currentSide,
      }),
    };
  },
});
