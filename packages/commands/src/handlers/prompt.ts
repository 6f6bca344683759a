import type { ThreadState } from '@spec/hooks';
import type { PromptHandler } from '../entry-handler.ts';
import { type Limits, withinLimits } from './deadline.ts';
import { answeredWith, type HandlerEnd, type HandlerFailed, notAnswered } from './handler-end.ts';

/** What a question to a model needs. */
export interface PromptLimits extends Limits {
  readonly state: ThreadState;
}

/** The part of the AI SDK's model interface (version 3 or 4) that is used. */
interface Model {
  doStream(options: object): PromiseLike<{ readonly stream: ReadableStream<StreamPart> }>;
}

interface StreamPart {
  readonly type: string;
  readonly delta?: string;
}

const INSTRUCTIONS = `You decide about one event in the work of an agent. The next message asks you something about it.
Answer with one JSON object and nothing else: {"ok": true} if it may go on, or {"ok": false, "reason": "why not, in one sentence"}.`;

/** The most characters of an answer; a verdict is short. */
const MOST_CHARACTERS = 100_000;

const NO_MODEL = 'no model is registered that could be asked';

/** Why an entry has no model to ask, as the end of a sentence about it. */
export async function whyNoModel({ model }: PromptHandler, state: ThreadState): Promise<string | undefined> {
  return (await chooseModel(state, model)) === undefined ? NO_MODEL : undefined;
}

/**
 * Asks a model without tools: the one that the entry names if it is registered, otherwise the thread's own. The answer is its text
 * without a surrounding code block. Never rejects.
 */
export async function runPrompt(
  { prompt, model: named }: PromptHandler,
  limits: PromptLimits,
): Promise<HandlerEnd> {
  const said: string[] = [];
  const ended = await withinLimits(limits, async (signal) => {
    const model = await chooseModel(limits.state, named);
    if (model === undefined) return notAnswered(NO_MODEL);
    try {
      const isWhole = await ask(model, { prompt, signal, said });
      return isWhole
        ? answeredWith(unwrapped(said.join('')))
        : notAnswered('the model did not answer to the end');
    } catch {
      return notAnswered('the model failed');
    }
  });
  return 'failure' in ended && said.length > 0 ? { ...ended, printed: readSaid(said) } : ended;
}

/** What a model had said until it failed: it may be a refusal. */
function readSaid(said: readonly string[]): NonNullable<HandlerFailed['printed']> {
  const { stdout, stderr } = answeredWith(unwrapped(said.join(''))).answer;
  return { stdout, stderr };
}

async function chooseModel(state: ThreadState, named: string | undefined): Promise<Model | undefined> {
  const names = state.modelNames();
  const name = named !== undefined && names.includes(named) ? named : ((await ownModel(state)) ?? names[0]);
  const model = name === undefined ? undefined : await state.loadModel(name);
  return isModel(model) ? model : undefined;
}

/** The part of an agent's definition that is used. */
interface Agent {
  readonly prompt?: string;
  readonly sides?: Readonly<Record<'a' | 'b', { readonly prompt: string }>>;
}

/** The model of the prompt of the thread's agent, on the side that speaks. */
async function ownModel(state: ThreadState): Promise<string | undefined> {
  const agent = (await state.loadAgent(state.agentId)) as Agent | null;
  const prompt = agent?.sides?.[state.execution.currentSide].prompt ?? agent?.prompt;
  if (typeof prompt !== 'string') return undefined;
  const { model } = ((await state.loadPrompt(prompt)) ?? {}) as { readonly model?: unknown };
  return typeof model === 'string' ? model : undefined;
}

function isModel(model: unknown): model is Model {
  return typeof model === 'object' && model !== null && typeof (model as Model).doStream === 'function';
}

interface Question {
  readonly prompt: string;
  readonly signal: AbortSignal;
  /** Gets what the model says, as it comes. */
  readonly said: string[];
}

/** Whether the model answered to its end. */
async function ask(model: Model, { prompt, signal, said }: Question): Promise<boolean> {
  const { stream } = await model.doStream({
    prompt: [
      { role: 'system', content: INSTRUCTIONS },
      { role: 'user', content: [{ type: 'text', text: prompt }] },
    ],
    abortSignal: signal,
  });
  let length = 0;
  let isFinished = false;
  for await (const { type, delta = '' } of stream as unknown as AsyncIterable<StreamPart>) {
    if (type === 'error' || signal.aborted) return false;
    if (type === 'finish') isFinished = true;
    if (type !== 'text-delta') continue;
    said.push(delta);
    length += delta.length;
    if (length > MOST_CHARACTERS) return false;
  }
  return isFinished;
}

/** Models like to put JSON into a code block. */
function unwrapped(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}
