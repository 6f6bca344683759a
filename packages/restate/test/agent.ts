import { setTimeout as wait } from 'node:timers/promises';
import {
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  type Runtime,
  type RuntimeOptions,
} from '@spec/runtime';
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';

type Asked = Parameters<Extract<ScriptedStep, (...asked: never[]) => unknown>>[0];

/** Where a turn is: what was said last, and how many answers there have been since. */
function readPlace({ prompt }: Asked): { said: string; answers: number } {
  const at = prompt.findLastIndex(({ role }) => role === 'user');
  const { content = '' } = prompt[at] ?? {};
  const said =
    typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join('');
  return { said, answers: prompt.slice(at).filter(({ role }) => role === 'assistant').length };
}

/** Answers by what it is asked, so that any process goes on where another one died. */
async function answer(asked: Asked) {
  const { said, answers } = readPlace(asked);
  await wait(10 + Math.random() * 30);
  if (said.startsWith('help')) return `helped with ${said}`;
  const call = (name: string, n = 0) => ({
    id: `${said}-${answers}-${n}`,
    name,
    input: { text: `help ${said}` },
  });
  if (answers === 0) return { toolCalls: [call('read')] };
  if (answers === 1) return { toolCalls: [0, 1, 2].map((n) => call('note', n)) };
  if (answers === 2) return { toolCalls: [call('helper')] };
  return `answer to ${said}`;
}

function* forEver(): Generator<ScriptedStep> {
  for (;;) yield answer;
}

/** Reads, notes three things side by side, asks a helper, and answers. */
export function startAgent(options: Pick<RuntimeOptions, 'store' | 'engine'>): Runtime {
  const take = (name: string, onInterrupted: 'retry' | 'fail') =>
    defineTool({
      name,
      onInterrupted,
      execute: async () => {
        await wait(Math.random() * 40);
        return `${name} done`;
      },
    });
  return createRuntime({
    ...options,
    lease: '5s',
    tools: [take('read', 'retry'), take('note', 'fail'), defineTool({ name: 'helper', agent: 'helper' })],
    prompts: [
      definePrompt({ name: 'worker', tools: ['read', 'note', 'helper'] }),
      definePrompt({ name: 'helper' }),
    ],
    agents: [
      defineAgent({ name: 'worker', prompt: 'worker' }),
      defineAgent({ name: 'helper', prompt: 'helper' }),
    ],
    models: { scripted: scriptedModel(forEver(), { keepsCalls: 1 }) },
  });
}
