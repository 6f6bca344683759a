import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { encodeText } from '../../address.ts';
import type { ApiFailure } from '../../api.ts';
import { type AskFailure, useRetry } from './failure.ts';
import { moved, paceMoved, whileAsking } from './pace.ts';
import { base, fetchWithToken, loseSession } from './session.ts';

/** An answer, while it is waited for the one before it. */
export interface Asked<Answer> {
  readonly data: Answer | undefined;
  readonly failure: AskFailure | undefined;
}

/** The last answer of each path, shown until the new one is there. */
const kept = new Map<string, unknown>();
const mostKept = 100;

/** Asks the server. @throws an {@link AskFailure} */
export function ask<Answer>(path: string, body?: unknown): Promise<Answer> {
  // What is posted may take as long as hooks do.
  if (body !== undefined) return askServer(path, body);
  const answer =
    awaited.get(path) ?? whileAsking(askServer(path, undefined)).finally(() => awaited.delete(path));
  awaited.set(path, answer);
  return answer as Promise<Answer>;
}

/** Answers on their way, by their paths: who wants the same meanwhile gets the same. */
const awaited = new Map<string, Promise<unknown>>();

async function askServer<Answer>(path: string, body: unknown): Promise<Answer> {
  const init: RequestInit =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetchWithToken(path, init).catch(() => undefined);
  if (response === undefined) throw { code: 'unreachable', message: 'Was spec-hooks inspect ended?' };
  if (response.status === 401) loseSession();
  const answer: unknown = await response
    .json()
    .catch(() => ({ error: { code: 'unexpected', message: `The server answered ${response.status}.` } }));
  if (!response.ok) throw (answer as ApiFailure).error;
  return answer as Answer;
}

/** What a path gives, again whenever something was stored. `null`: nothing is asked. */
export function useAsked<Answer>(path: string | null, isLive = true): Asked<Answer> {
  const answered = useSignal<Asked<Answer> & { readonly path: string | null }>({
    path: null,
    data: undefined,
    failure: undefined,
  });
  const round = isLive ? moved.value : 0;
  const retries = useSignal(0);
  // Before the browser draws: the answer is waited for, an empty pane is not.
  useLayoutEffect(() => {
    if (path === null) return;
    let isWanted = true;
    ask<Answer>(path).then(
      (data) => {
        keep(path, data);
        if (isWanted) answered.value = { path, data, failure: undefined };
      },
      (failure: AskFailure) => {
        if (isWanted) answered.value = { path, data: undefined, failure };
      },
    );
    return () => {
      isWanted = false;
    };
  }, [path, round, retries.value]);
  useRetry(answered.value.path === path ? answered.value.failure : undefined, () => {
    retries.value++;
  });
  if (answered.value.path === path) return answered.value;
  return { data: path === null ? undefined : (kept.get(path) as Answer | undefined), failure: undefined };
}

/** How long the server is left alone with what it is still working on, in milliseconds. */
const againMs = 2_000;

/** Asks for everything again after a while, until it is not wanted any more. */
export function useAgain(isWanted: boolean): void {
  const round = moved.value;
  useEffect(() => {
    if (!isWanted) return;
    const timer = setTimeout(paceMoved, againMs);
    return () => clearTimeout(timer);
  }, [isWanted, round]);
}

function keep(path: string, data: unknown): void {
  kept.delete(path);
  kept.set(path, data);
  for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
}

/** Joins a path of the server from texts of others. */
export function makePath(
  parts: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(given.map(([name, text]) => [name, encodeText(text)])).toString();
  return `/${parts.map((part) => encodeURIComponent(encodeText(part))).join('/')}${search === '' ? '' : `?${search}`}`;
}

/** The address of a view. */
export function makeLink(
  parts: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  return base + makePath(parts, query);
}
