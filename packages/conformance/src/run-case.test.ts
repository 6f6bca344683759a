import { describe, expect, onTestFinished, test } from 'vitest';
import type { Case } from './case.ts';
import { runCase } from './run-case.ts';
import type { Subject, Trial } from './subject.ts';

interface Watched extends Subject {
  readonly closed: string[];
}

/** A subject whose trials do nothing but tell that they were closed. */
function makeSubject(changes: Partial<Subject> = {}, trial: Partial<Trial> = {}): Watched {
  const closed: string[] = [];
  let count = 0;
  const newTrial = (): Trial => {
    const threadId = `t${++count}`;
    return {
      threadId,
      send: async () => ({ status: 'completed', text: null }),
      messages: async () => [],
      sent: () => [],
      reopen: async () => newTrial(),
      close: async () => void closed.push(threadId),
      ...trial,
    };
  };
  return { name: 'nothing', abilities: [], closed, open: async () => newTrial(), ...changes };
}

const makeCase = (run: Case['run'], more: Partial<Case> = {}): Case => ({
  id: 'a.b',
  section: 'spec 1',
  level: 'MUST',
  says: 'It works.',
  run,
  ...more,
});

function refuseToTell(): never {
  throw new Error('no');
}

describe('runCase', () => {
  test('passes where nothing throws, and closes all trials, the newest first, but for those that were left for another instance', async () => {
    const subject = makeSubject();
    const outcome = await runCase(
      makeCase(async ({ open }) => {
        await open({});
        await (await open({})).reopen();
      }),
      subject,
    );
    expect(outcome).toMatchObject({ id: 'a.b', outcome: 'passed' });
    expect(outcome.message).toBeUndefined();
    expect(outcome.ms).toBeGreaterThan(0);
    expect(subject.closed).toEqual(['t3', 't1']);
  });

  test('fails with what was thrown, and its code', async () => {
    const failing = makeCase(async () => {
      throw Object.assign(new TypeError('expected 1, got 2'), { code: 'hook_failed' });
    });
    expect(await runCase(failing, makeSubject())).toMatchObject({
      outcome: 'failed',
      message: 'expected 1, got 2 (TypeError, hook_failed)',
    });
    const odd = makeCase(() => Promise.reject('a text'));
    expect(await runCase(odd, makeSubject())).toMatchObject({
      outcome: 'failed',
      message: 'it threw string',
    });
  });

  test('fails where the subject cannot open a trial', async () => {
    const subject = makeSubject({ open: () => Promise.reject(new Error('no runtime')) });
    const opening = makeCase(async ({ open }) => void (await open({})));
    expect(await runCase(opening, subject)).toMatchObject({ outcome: 'failed', message: 'no runtime' });
  });

  test('is not applicable where an ability is missing, and opens nothing', async () => {
    const subject = makeSubject({ abilities: ['update'], open: () => Promise.reject(new Error('opened')) });
    const needing = makeCase(async ({ open }) => void (await open({})), {
      needs: ['update', 'files', 'dual'],
    });
    expect(await runCase(needing, subject)).toMatchObject({
      outcome: 'not_applicable',
      message: 'needs files, dual',
    });
  });

  test('fails where a trial lacks what its abilities promise', async () => {
    const injecting = makeCase(async ({ open }) => (await open({})).inject({ role: 'user', content: 'x' }));
    const { outcome, message } = await runCase(injecting, makeSubject());
    expect(outcome).toBe('failed');
    expect(message).toContain('The trials of the subject "nothing" have no "inject"');
  });

  test('ends what takes too long, also trials that open after that', async () => {
    let openLate!: () => void;
    const late = new Promise<void>((resolve) => {
      openLate = resolve;
    });
    const subject = makeSubject();
    const { open } = subject;
    const slow: Subject = { ...subject, open: (setup) => late.then(() => open(setup)) };
    const outcome = await runCase(
      makeCase(async (bench) => void (await bench.open({}))),
      slow,
      { timeLimit: 20 },
    );
    expect(outcome).toMatchObject({ outcome: 'failed', message: 'the case did not end within 20 ms' });
    openLate();
    await expect.poll(() => subject.closed).toEqual(['t1']);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('stuck')), 'closing a trial of the case: stuck'],
    ['hangs', () => new Promise<void>(() => {}), 'closing a trial of the case: it did not end within 50 ms'],
  ])('fails where the close of a trial %s', { timeout: 20_000 }, async (_, close, message) => {
    const subject = makeSubject({}, { close });
    const opening = makeCase(async ({ open }) => void (await open({})));
    expect(await runCase(opening, subject, { timeLimit: 50 })).toMatchObject({ outcome: 'failed', message });
    const failing = makeCase(async ({ open }) => {
      await open({});
      throw new Error('the case');
    });
    if (message.endsWith('stuck'))
      expect(await runCase(failing, subject)).toMatchObject({ message: 'the case' });
  });

  test('fails where there is no trial, and where one lacks what gives no promise', async () => {
    const opening = makeCase(async ({ open }) => void (await open({})).sent().length);
    const none = makeSubject({ open: async () => undefined as never });
    expect((await runCase(opening, none)).message).toBe('The subject "nothing" gave no trial from "open".');
    const { message } = await runCase(opening, makeSubject({}, { sent: undefined as never }));
    expect(message).toContain('have no "sent"');
  });

  test('what a case asked for and no longer waits for may fail', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const subject = makeSubject({}, { send: () => Promise.reject(new Error('the turn was aborted')) });
    const impatient = makeCase(async ({ open }) => {
      const trial = await open({});
      void trial.send('Hi');
      throw new Error('expected more');
    });
    expect(await runCase(impatient, subject)).toMatchObject({ outcome: 'failed', message: 'expected more' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  });

  test.each([
    ['nothing of its own', new Proxy({}, { get: refuseToTell, getPrototypeOf: refuseToTell })],
    ['no text', Object.assign(new Error('x'), { message: Symbol('x') })],
  ])('fails with an error that tells %s', async (_, thrown) => {
    const failing = makeCase(async () => {
      throw thrown;
    });
    const outcome = await runCase(failing, makeSubject());
    expect(outcome).toMatchObject({ outcome: 'failed', message: expect.any(String) });
  });

  test('gives hooks time, where the case does not say how much', async () => {
    const setups: unknown[] = [];
    const subject = makeSubject();
    const asked: Subject = {
      ...subject,
      async open(setup) {
        setups.push(setup);
        return subject.open(setup);
      },
    };
    await runCase(
      makeCase(async ({ open }) => {
        await open({ system: 'x' });
        await open({ hookTimeout: 40 });
      }),
      asked,
    );
    expect(setups).toEqual([{ system: 'x', hookTimeout: 8_000 }, { hookTimeout: 40 }]);
  });

  test('runs a case again that failed while the process was held up, and only then', async () => {
    const holdUp = (ms: number): void => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    let runs = 0;
    const heldUp = makeCase(async () => {
      if (++runs > 2) return;
      holdUp(60);
      throw new Error('too late');
    });
    expect(await runCase(heldUp, makeSubject())).toMatchObject({ outcome: 'passed', tries: 3 });
    runs = -100;
    expect(await runCase(heldUp, makeSubject())).toMatchObject({ outcome: 'failed', tries: 3 });
    expect(runs).toBe(-97);
  });
});
