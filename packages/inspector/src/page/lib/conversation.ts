import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ConversationPage } from '../../api.ts';
import { ask, makePath } from './ask.ts';
import { type AskFailure, isPassing, useRetry } from './failure.ts';
import { moved } from './live.ts';

/** The piece of a conversation that is loaded. */
export interface LoadedConversation extends ConversationPage {
  /** Whether the last change put messages before the others. */
  readonly isGrownAbove: boolean;
}

/** A conversation that grows at both ends as one scrolls. */
export interface Conversation {
  readonly loaded: LoadedConversation | undefined;
  readonly failure: AskFailure | undefined;
  readonly readOlder: () => void;
  readonly readNewer: () => void;
}

/** Messages that are loaded first, more than a screen has, and with each piece as one scrolls. */
const firstSize = 50;
const pieceSize = 100;

/** @param around the message to begin at; without it, the end */
export function useConversation(thread: string, around: string | undefined): Conversation {
  const held = useMemo(() => holdConversation(thread), [thread]);
  const { loaded, failure } = held;
  // While it is drawn, so that the server is asked for the messages before all else.
  useMemo(() => held.show(around), [held, around]);
  useEffect(() => held.update(), [moved.value]);
  useRetry(failure.value, held.update);
  return {
    loaded: loaded.value,
    failure: failure.value,
    readOlder: () => void held.grow('older'),
    readNewer: () => void held.grow('newer'),
  };
}

interface HeldConversation {
  readonly loaded: Signal<LoadedConversation | undefined>;
  readonly failure: Signal<AskFailure | undefined>;
  /** Loads the piece around a message, unless it is there or on its way. */
  show(around: string | undefined): void;
  /** Looks again at what is loaded; where nothing could be loaded, loads it. */
  update(): void;
  grow(side: 'older' | 'newer'): Promise<void>;
}

function holdConversation(thread: string): HeldConversation {
  const loaded = signal<LoadedConversation | undefined>(undefined);
  const failure = signal<AskFailure | undefined>(undefined);
  let asked = 0;
  let shown: { readonly around: string | undefined } | undefined;
  const read: ReadPiece = (query) =>
    ask(makePath(['api', 'threads', thread, 'messages'], { size: String(pieceSize), ...query }));
  const keep = (page: ConversationPage | undefined): void => {
    failure.value = undefined;
    if (page !== undefined) loaded.value = { ...page, isGrownAbove: false };
  };
  const load = async (around: string | undefined): Promise<void> => {
    const mine = ++asked;
    try {
      const page = await read({ size: String(firstSize), ...(around !== undefined && { around }) });
      if (mine === asked) keep(page);
    } catch (error) {
      if (mine !== asked) return;
      if (around !== undefined && (error as AskFailure).code === 'not_found') return load(undefined);
      failure.value = error as AskFailure;
    }
  };
  const lookAgain = async (now: LoadedConversation): Promise<void> => {
    const mine = ++asked;
    try {
      const page = await readAgain(now, read);
      if (mine === asked && loaded.value === now) keep(page);
    } catch (error) {
      if (mine !== asked) return;
      failure.value = error as AskFailure;
      if (isGone(failure.value)) loaded.value = undefined;
    }
  };
  const show = (around: string | undefined): void => {
    const { value: now } = loaded;
    const isThere = now !== undefined && (around === undefined || holds(now, around));
    if (isThere || (now === undefined && shown?.around === around && shown !== undefined)) return;
    shown = { around };
    void load(around);
  };
  const update = (): void => {
    const { value: now } = loaded;
    if (now !== undefined) void lookAgain(now);
    else if (failure.value !== undefined) void load(shown?.around);
  };
  return { loaded, failure, show, update, grow: grower(loaded, read) };
}

/** Puts pieces before or after what is loaded, one at a time. */
function grower(loaded: HeldConversation['loaded'], read: ReadPiece): HeldConversation['grow'] {
  let isGrowing = false;
  return async (side) => {
    const { value: now } = loaded;
    if (isGrowing || now === undefined || !(side === 'older' ? now.hasOlder : now.hasNewer)) return;
    isGrowing = true;
    const [first, last] = [now.messages[0]?.id ?? '', now.messages.at(-1)?.id ?? ''];
    const page = await read(side === 'older' ? { before: first } : { after: last }).catch(() => undefined);
    isGrowing = false;
    if (page !== undefined && loaded.value === now)
      loaded.value = side === 'older' ? putBefore(page, now) : putAfter(now, page);
  };
}

/** Whether what was read is no more: texts that were deleted with their file are not kept on a page. */
function isGone(failure: AskFailure): boolean {
  return failure.code === 'store_unreadable' || !isPassing(failure);
}

function holds(loaded: LoadedConversation, id: string): boolean {
  return loaded.messages.some((message) => message.id === id);
}

function putBefore(page: ConversationPage, { messages, ...now }: LoadedConversation): LoadedConversation {
  return { ...now, messages: [...page.messages, ...messages], hasOlder: page.hasOlder, isGrownAbove: true };
}

function putAfter({ messages, hasOlder }: LoadedConversation, page: ConversationPage): LoadedConversation {
  return { ...page, messages: [...messages, ...page.messages], hasOlder, isGrownAbove: false };
}

type ReadPiece = (query: Record<string, string>) => Promise<ConversationPage>;

/** Messages that are looked at again at once, and at most. */
const again = 200;
/** Messages that mostly come between two looks, at most. */
const mostNew = 10;
const mostAgain = 2_000;

/** The piece that is loaded, as it is now; `undefined` where it stays as it is. */
async function readAgain(now: LoadedConversation, read: ReadPiece): Promise<ConversationPage | undefined> {
  const { messages, hasNewer } = now;
  if (hasNewer) {
    const middle = messages[Math.floor(messages.length / 2)]?.id;
    return middle === undefined || messages.length > again
      ? undefined
      : read({ around: middle, size: String(messages.length) });
  }
  const from = messages[0]?.createdAt ?? 0;
  let piece = await read({ size: String(Math.min(again, Math.max(firstSize, messages.length) + mostNew)) });
  const { after } = piece;
  let found = piece.messages;
  while (piece.hasOlder && (found[0]?.createdAt ?? 0) > from && found.length < mostAgain) {
    piece = await read({ before: found[0]?.id ?? '', size: String(again) });
    found = [...piece.messages, ...found];
  }
  const kept = found.filter(({ createdAt }) => createdAt >= from);
  return {
    ...piece,
    messages: kept,
    after,
    hasOlder: piece.hasOlder || kept.length < found.length,
    hasNewer: false,
  };
}
