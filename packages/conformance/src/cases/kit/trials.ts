import type { HookToolResult, NewMessage, ThreadState } from '@spec/hooks';
import { holds } from '@spec/hooks/testing';
import type { FullTrial, ModelAnswer, TrialTool } from '../../subject.ts';
import { type AnyMessage, pause, stored, writeLine } from './index.ts';

/** Milliseconds that a hook which is meant to hang may take. */
export const SHORT = 40;

/** Milliseconds that a hook which is meant to be in time may take, on a machine under load too. */
export const ENOUGH = 8_000;

/** Milliseconds after which a case no longer waits for what should have come by then. */
const PATIENCE = 4_000;

type Call = NonNullable<ModelAnswer['calls']>[number];

/** A tool, and what it was called with. */
export interface WatchedTool extends TrialTool {
  readonly ran: Record<string, unknown>[];
}

/** A tool that writes down its inputs, and answers with a text or as a function says. */
export function watchedTool(
  name: string = 'act',
  answer: string | HookToolResult | TrialTool['run'] = 'acted',
): WatchedTool {
  const ran: Record<string, unknown>[] = [];
  return {
    name,
    ran,
    async run(input, state) {
      ran.push(input);
      return typeof answer === 'function' ? answer(input, state) : answer;
    },
  };
}

/** One call of a tool. In one thread no two have the same id. */
export function makeCall(name: string, input: Record<string, unknown> = {}, id: string = 'call_1'): Call {
  return { id, name, input };
}

/** A model's answer that calls tools. */
export function asks(...calls: Call[]): ModelAnswer {
  return { calls };
}

/** A message of the user's. */
export function userSays(content: string, fields: Record<string, unknown> = {}): NewMessage {
  return { role: 'user', content, ...fields };
}

/** The stored messages of a role, in order. */
export async function storedAs(trial: FullTrial, role: AnyMessage['role']): Promise<AnyMessage[]> {
  return (await stored(trial)).filter((message) => message.role === role);
}

/** The contents of the stored tool results, in order. */
export async function results(trial: FullTrial): Promise<Array<string | null>> {
  return (await storedAs(trial, 'tool')).map(({ content }) => content);
}

/** What the model was sent in one call, as `role: content`. */
export function sentLines(trial: FullTrial, call: number): readonly string[] {
  return (trial.sent()[call] ?? []).map(writeLine);
}

/** Everything that the model was sent, or what it was sent in one call, as one text. */
export function sentText(trial: FullTrial, call?: number): string {
  const sent = trial.sent();
  return JSON.stringify(call === undefined ? sent : (sent[call] ?? []));
}

/** Throws unless a text has a part in it. */
export function contains(text: unknown, part: string, what: string): void {
  holds(String(text).includes(part), `${what}: expected "${part}" in it, got ${cut(text)}`);
}

/** Throws where a text has a part in it, and shows where. */
export function lacks(text: unknown, part: string, what: string): void {
  const at = String(text).indexOf(part);
  if (at < 0) return;
  const around = String(text).slice(Math.max(0, at - 80), at + part.length + 20);
  throw new Error(`${what}: expected no "${part}" in it, got …${around}…`);
}

function cut(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** Waits for something that must come soon. Throws where it does not. */
export async function soon<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: it did not come within ${PATIENCE} ms`)), PATIENCE);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles when a hook's time is over: at its signal, or at the latest when the case says so. */
export async function timeIsUp({ execution }: ThreadState, over: Promise<void>): Promise<void> {
  const signalled = new Promise<void>((resolve) => {
    execution.abortSignal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([signalled, over]);
  await pause(1); // What the runtime does at that moment comes first.
}

/** Writes a message when the time of the hook is over. Gives how that came out. */
export async function writesLate(state: ThreadState, over: Promise<void>): Promise<'accepted' | 'refused'> {
  await timeIsUp(state, over);
  return state.injectMessage(userSays('written too late')).then(
    () => 'accepted',
    () => 'refused',
  );
}

/** Everything that printing an error could show: its text, its stack, its fields and its causes. */
export function printed(error: unknown, depth: number = 0): string {
  const text = String(error);
  if (typeof error !== 'object' || error === null || depth > 5) return text;
  const fields = Object.getOwnPropertyNames(error).map(
    (name) => `${name}: ${printed(Reflect.get(error, name), depth + 1)}`,
  );
  return [text, ...fields].join('\n');
}
