import { startBank } from './bank.ts';

const [path = ''] = process.argv.slice(2);

const die = (tool: string): void => {
  if (tool === 'transfer_money') process.kill(process.pid, 'SIGKILL');
};
const runtime = startBank(path, die, [
  {
    toolCalls: [
      { id: 'call_1', name: 'read_balance' },
      { id: 'call_2', name: 'transfer_money' },
    ],
  },
]);
const thread = await runtime.createThread({ agent: 'bank', id: 'thread-1' });
await thread.send('Send EUR 20 to Ada.', { id: 'pay-ada' });
