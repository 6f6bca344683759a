import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ConversationPage } from '../../api.ts';
import { ask, makePath } from './ask.ts';
import { type AskFailure, isPassing, useRetry } from './failure.ts';
import { moved } from './pace.ts';

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
  /** To be told whether the newest message is in sight: then it stays there, however much is stored between two looks. */
  readonly follow: (isAtEnd: boolean) => void;
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
    follow: held.follow,
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
  follow(isAtEnd: boolean): void;
}

function holdConversation(thread: string): HeldConversation {
  const loaded = signal<LoadedConversation | undefined>(undefined);
  const failure = signal<AskFailure | undefined>(undefined);
  let asked = 0;
  let shown: { readonly around: string | undefined } | undefined;
  let isAtEnd = false;
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
      const page = await readAgain(now, { read, isAtEnd });
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
    isAtEnd = around === undefined;
    void load(around);
  };
  const update = (): void => {
    const { value: now } = loaded;
    if (now !== undefined) void lookAgain(now);
    else if (failure.value !== undefined) void load(shown?.around);
  };
  const follow = (isInSight: boolean): void => {
    isAtEnd = isInSight;
  };
  return { loaded, failure, show, update, grow: grower(loaded, read), follow };
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

interface LookAgain {
  readonly read: ReadPiece;
  readonly isAtEnd: boolean;
}

/** The piece that is loaded, as it is now; `undefined` where it stays as it is. */
async function readAgain(
  now: LoadedConversation,
  { read, isAtEnd }: LookAgain,
): Promise<ConversationPage | undefined> {
  const { messages, hasNewer } = now;
  if (hasNewer) return readAround(messages, read);
  const size = Math.min(again, Math.max(firstSize, messages.length) + mostNew);
  const newest = await read({ size: String(size) });
  if (isApart(messages, newest)) return isAtEnd ? keepNewest(newest) : { ...now, after: [], hasNewer: true };
  const from = messages[0]?.createdAt ?? 0;
  return cutBefore(isAtEnd ? newest : await readBackTo(from, newest, read), from);
}

/** A piece in the middle, as it is now; a long one is left as it was read. */
async function readAround(
  messages: ConversationPage['messages'],
  read: ReadPiece,
): Promise<ConversationPage | undefined> {
  const middle = messages[Math.floor(messages.length / 2)]?.id;
  return middle === undefined || messages.length > again
    ? undefined
    : read({ around: middle, size: String(messages.length) });
}

/** Whether more was stored between two looks than a piece holds. */
function isApart(
  messages: ConversationPage['messages'],
  { messages: newest, hasOlder }: ConversationPage,
): boolean {
  return hasOlder && (newest[0]?.createdAt ?? 0) > (messages.at(-1)?.createdAt ?? 0);
}

/** As many of the newest messages as are loaded first: who reads the end of a busy thread is not sent all that went by. */
function keepNewest(page: ConversationPage): ConversationPage {
  const messages = page.messages.slice(-firstSize);
  return { ...page, messages, hasOlder: page.hasOlder || messages.length < page.messages.length };
}

/** Puts piece after piece before the newest one, back to a time. */
async function readBackTo(
  from: number,
  newest: ConversationPage,
  read: ReadPiece,
): Promise<ConversationPage> {
  let { messages, hasOlder } = newest;
  while (hasOlder && (messages[0]?.createdAt ?? 0) > from && messages.length < mostAgain) {
    const piece = await read({ before: messages[0]?.id ?? '', size: String(again) });
    messages = [...piece.messages, ...messages];
    hasOlder = piece.hasOlder;
  }
  return { ...newest, messages, hasOlder };
}

function cutBefore(page: ConversationPage, from: number): ConversationPage {
  const messages = page.messages.filter(({ createdAt }) => createdAt >= from);
  return { ...page, messages, hasOlder: page.hasOlder || messages.length < page.messages.length };
}
