import { defineHook } from '@spec/hooks';
  export const hook = defineHook({ hook: 'before_create_message', id: 'x', execute: async (_state, message) => message });
  console.log('ran with', process.argv.slice(2).join());
