import { asking } from './asking-first.ts';
import { openLasting } from './lasting-store.ts';
import { startRuntime } from './start-runtime.ts';

/** A process to be killed while a person is asked about the first of three calls, in the thread `t` of a new file: `FILE`. */
const [, , path = ''] = process.argv;
const onAsk = (): Promise<boolean> => new Promise(() => setInterval(() => {}, 60_000));
const { runtime } = startRuntime(openLasting(path, 'FULL'), { ...asking(onAsk, 'before'), lease: 20 });
const thread = await runtime.createThread({ agent: 'agent', id: 't' });
await thread.send('Go');
