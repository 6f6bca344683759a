import { DefaultChatTransport, type UIMessageChunk } from 'ai';
import { serve } from './server.ts';
import { openShop } from './shop.ts';

const question = 'Where is my order A-1077?';

for (const redacts of [false, true]) {
  const runtime = openShop({ redacts });
  const thread = await runtime.createThread({ agent: 'shop' });
  const { holdBack } = thread.streaming();
  const behind = holdBack === 0 ? 'with' : `${holdBack} characters behind`;
  console.log(`Text leaves ${behind} the model:`);

  const { url, server } = await serve(thread);
  // In a browser `useChat({ transport })` does what follows, and renders it.
  const transport = new DefaultChatTransport({ api: url });
  const chunks = await transport.sendMessages({
    chatId: thread.id,
    trigger: 'submit-message',
    messageId: undefined,
    abortSignal: undefined,
    messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: question }] }],
  });
  for await (const chunk of chunks) print(chunk);
  server.close();
  await runtime.close();
}

function print(chunk: UIMessageChunk): void {
  if (chunk.type === 'text-delta') console.log(`  text      ${JSON.stringify(chunk.delta)}`);
  else if (chunk.type === 'tool-input-available')
    console.log(`  tool      ${chunk.toolName} ${JSON.stringify(chunk.input)}`);
  else if (chunk.type === 'tool-output-available') console.log(`  result    ${JSON.stringify(chunk.output)}`);
  else if (chunk.type === 'data-progress') console.log(`  progress  ${JSON.stringify(chunk.data)}`);
  else if (chunk.type === 'finish') console.log(`  end       ${chunk.finishReason}`);
}
