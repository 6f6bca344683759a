import { type AnyTool, defineTool } from '../src/index.ts';

/** The tool of a turn that is killed while it runs; it may run again. */
export function look(execute: () => string | Promise<string>): AnyTool {
  return defineTool({ name: 'look', onInterrupted: 'retry', execute });
}

/** A tool that injects an image and queues another one, each time it runs. */
export function show(execute: () => string | Promise<string>): AnyTool {
  return defineTool({
    name: 'show',
    onInterrupted: 'retry',
    async execute(_input, { state }) {
      await state.injectMessage({ role: 'user', content: [pixel(0)] });
      await state.queueMessage({ role: 'user', content: [pixel(1)] });
      return execute();
    },
  });
}

const pixel = (byte: number) =>
  ({ type: 'image', image: Uint8Array.of(byte), mediaType: 'image/png' }) as const;
