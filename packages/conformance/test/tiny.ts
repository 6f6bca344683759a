import type { Case } from '../src/case.ts';
import type { Subject, Trial } from '../src/subject.ts';

/** A subject that can do next to nothing: it remembers what it was sent. */
export function tinySubject(): Subject {
  return {
    name: 'tiny',
    abilities: [],
    async open() {
      const sent: string[] = [];
      const trial: Trial = {
        threadId: 't',
        async send(content) {
          sent.push(content);
          return { status: 'completed', text: null };
        },
        messages: async () =>
          sent.map((content, i) => ({ id: `m${i}`, role: 'user', content, created_at: i })),
        sent: () => [],
        close: async () => {},
      };
      return trial;
    },
  };
}

const says = 'A message that is sent is stored.';

export const passing: Case = {
  ...{ id: 'storage.keeps', section: 'spec 4.1', level: 'MUST', says },
  async run({ open }) {
    const trial = await open({});
    await trial.send('hello');
    if ((await trial.messages()).length !== 1) throw new Error('it was not stored');
  },
};

export const failing: Case = {
  ...{ id: 'storage.answers', section: 'C9', level: 'ours', says: 'The answer | is stored.' },
  async run({ open }) {
    const trial = await open({});
    await trial.send('hello');
    if ((await trial.messages()).length !== 2) throw new Error('expected 2 messages,\ngot 1');
  },
};

export const needing: Case = {
  ...{
    id: 'streaming.waits',
    section: 'spec 4.1',
    level: 'SHOULD',
    says: 'Text waits.',
    needs: ['streaming', 'files'],
  },
  async run() {},
};

export const tinyCases: readonly Case[] = [passing, failing, needing];
