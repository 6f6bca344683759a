import { openLasting } from './lasting-store.ts';
import { startRuntime } from './start-runtime.ts';
import { look } from './thinking-turn.ts';

/** Runs a turn with an image and signed reasoning, whose tool never ends, in the thread `t` of a file: `thinking-process.ts FILE`. */

const { runtime } = startRuntime(openLasting(process.argv[2] as string), {
  script: [
    {
      reasoning: [{ text: 'I have to look.', metadata: { anthropic: { signature: 'c2ln' } } }],
      toolCalls: [{ name: 'look' }],
    },
  ],
  tools: [
    look(() => {
      process.stdout.write('looking\n');
      return new Promise(() => setInterval(() => {}, 1_000));
    }),
  ],
  lease: '300ms',
});
const thread = await runtime.createThread({ agent: 'agent', id: 't' });
const image = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
await thread.send(
  {
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', image, mediaType: 'image/png' },
    ],
  },
  { id: 'one' },
);
