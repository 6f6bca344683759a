import { inspect } from 'node:util';
import type { AnyHook, LLMMessage, RunRecord } from '@spec/hooks';
import { findHonour, type Honours, type HostOptions, type ThreadStore } from '@spec/hooks/host';
import type { Ability, ModelAnswer, SendResult, Setup, Subject, Trial } from '../subject.ts';

/** A loop over `@spec/hooks/host` that keeps its messages in a store: one's own, or a framework's with a bridge around it. */
export interface HostedPlace {
  readonly name: string;
  readonly abilities: readonly Ability[];
  /** Its hooks that run in part are accepted; those that never run are refused by the place itself. */
  readonly honours: Honours;
  /** A new store for each trial. */
  openStore(): ThreadStore & { close(): Promise<void> };
  openLoop(trial: HostedTrial): HostedLoop;
}

/** What a trial is made of. */
export interface HostedTrial {
  readonly setup: Setup;
  /** For the host, or for the bridge that makes one. */
  readonly options: HostedOptions;
  readonly threadId: string;
  /** What the model says now that was sent these messages. @throws where it fails, or the signal fires first */
  answer(sent: readonly LLMMessage[], signal?: AbortSignal): Promise<ModelAnswer>;
  /** A text has left. */
  hear(text: string): void;
}

export type HostedOptions = Pick<
  HostOptions,
  'policies' | 'prompt' | 'agent' | 'timeout' | 'onRun' | 'onLateWrite' | 'onAsk'
> &
  Required<Pick<HostOptions, 'hooks' | 'allowPartial' | 'store'>>;

export interface HostedLoop {
  /** One turn. What the loop throws once the signal has fired counts as the end of an aborted turn. */
  send(content: string, abortSignal: AbortSignal): Promise<SendResult>;
}

/** The subject of a loop over `@spec/hooks/host`. */
export function makeHostSubject(place: HostedPlace): Subject {
  const { name, abilities } = place;
  return { name, abilities, open: async (setup) => new OpenedTrial(place, setup) };
}

class OpenedTrial implements Trial {
  readonly threadId: string = crypto.randomUUID();
  readonly #store: ReturnType<HostedPlace['openStore']>;
  readonly #script: Script;
  readonly #loop: HostedLoop;
  readonly #runs: RunRecord[] = [];
  readonly #told: unknown[] = [];
  readonly #texts: string[] = [];
  #aborts = new AbortController();

  constructor(place: HostedPlace, setup: Setup) {
    this.#store = place.openStore();
    this.#script = new Script(setup.script);
    this.#loop = place.openLoop({
      setup,
      threadId: this.threadId,
      options: this.#makeOptions(place.honours, setup),
      answer: (sent, signal) => this.#script.answer(sent, signal),
      hear: (text) => void this.#texts.push(text),
    });
  }

  async send(content: string): Promise<SendResult> {
    this.#aborts = new AbortController();
    const { signal } = this.#aborts;
    try {
      return await this.#loop.send(content, signal);
    } catch (error) {
      this.#told.push(error);
      if (signal.aborted) return { status: 'aborted', text: null };
      throw error;
    }
  }

  messages(): ReturnType<Trial['messages']> {
    return this.#store.listMessages(this.threadId);
  }

  sent(): ReturnType<Trial['sent']> {
    return structuredClone(this.#script.sent);
  }

  streamed(): string {
    return this.#texts.join('');
  }

  async runs(): Promise<readonly RunRecord[]> {
    return structuredClone(this.#runs);
  }

  async told(): Promise<string> {
    return inspect([...this.#told, ...this.#runs], { depth: 8, maxArrayLength: null });
  }

  async stop(): Promise<void> {
    this.#aborts.abort();
  }

  async close(): Promise<void> {
    this.#aborts.abort();
    await this.#store.close();
  }

  #makeOptions(honours: Honours, setup: Setup): HostedOptions {
    const { hooks = [], policies = [], promptHooks, agentHooks, hookTimeout, onAsk } = setup;
    const runsInPart = ({ hook }: AnyHook): boolean => {
      const honour = findHonour(honours, hook);
      return typeof honour === 'object' && 'partly' in honour;
    };
    return {
      ...{ hooks, policies, store: this.#store },
      prompt: { name: 'main', ...(promptHooks === undefined ? {} : { hooks: promptHooks }) },
      agent: { name: 'main', hooks: agentHooks ?? [] },
      allowPartial: [...hooks, ...policies].filter(runsInPart).map(({ id }) => id),
      onRun: (run) => this.#runs.push(run),
      onLateWrite: (late) => this.#told.push(late),
      ...(hookTimeout === undefined ? {} : { timeout: hookTimeout }),
      ...(onAsk === undefined ? {} : { onAsk: () => onAsk === 'allow' }),
    };
  }
}

/** What the model of a trial says, answer by answer, and what it was sent. */
class Script {
  readonly sent: LLMMessage[][] = [];
  readonly #answers: readonly ModelAnswer[];

  constructor(answers: readonly ModelAnswer[] = []) {
    this.#answers = answers;
  }

  /** The next answer, after its time. @throws where the script says that the model fails, or the signal fires first */
  async answer(sent: readonly LLMMessage[], signal?: AbortSignal): Promise<ModelAnswer> {
    const answer = this.#answers[this.sent.length] ?? { text: 'done' };
    this.sent.push(structuredClone([...sent]));
    await untilReady(answer, signal);
    if (answer.fails) throw new Error('the provider is down');
    return answer;
  }
}

async function untilReady({ after }: ModelAnswer, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (after === undefined) return;
  const aborted = new Promise((_, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
  await Promise.race([after, aborted]);
}
