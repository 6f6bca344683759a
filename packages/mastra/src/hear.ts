import type { ProcessInputArgs, ProcessInputStepArgs } from '@mastra/core/processors';
import { hearUser, keepsFiles } from '@spec/hooks/host';
import { changeMessage, type Message, readMessageFiles, readText } from './messages.ts';
import type { Running, Turns } from './turns.ts';

/** What the user says goes through its hooks: a denied message ends the run with a tripwire, and no model is called. */
export async function hearInput(turns: Turns, args: ProcessInputArgs): Promise<Message[]> {
  const { messages, requestContext, abortSignal } = args;
  const { threadId, resourceId } = messages.at(-1) ?? {};
  const options = {
    ...(abortSignal === undefined ? {} : { abortSignal }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(resourceId === undefined ? {} : { userId: resourceId }),
  };
  const running = turns.open(requestContext, options, args.state);
  running.heard = new Set(messages.map(({ id }) => id));
  const { context } = args.messageList.makeMessageSourceChecker();
  const beside = pickIds(messages, (message) => isUsers(message) && context.has(message.id));
  const heard = await hearGiven(running, args);
  return hear(running, { ...args, messages: heard }, { newest: beside, isStored: false });
}

function hearGiven(running: Running, args: ProcessInputArgs): Promise<Message[]> {
  const given = findGiven(args);
  if (given.size > 0) return hear(running, args, { newest: given, isStored: true });
  const { input, remembered } = args.messageList.get;
  const isFixed = input.db().length > 0; // What a network tells the agent that routes, in the place of the user.
  return hear(running, args, { newest: findWaiting(remembered.db()), isStored: true, isFixed });
}

/**
 * What comes later: signals that are sent into the run, which Mastra gives the model as said by the user, and the messages of its option `context`,
 * which are none of the thread.
 *
 * @returns the messages, where hooks have changed one
 */
export async function hearLater(
  running: Running,
  args: ProcessInputStepArgs,
): Promise<Message[] | undefined> {
  const { messages, messageList } = args;
  // A run that another process has begun was heard there.
  running.heard ??= new Set(messages.map(({ id }) => id));
  const { heard } = running;
  const unheard = messages.filter((message) => isUsers(message) && !heard.has(message.id));
  if (unheard.length === 0) return undefined;
  const { memory, context } = messageList.makeMessageSourceChecker();
  const isSaid = ({ id }: Message): boolean => !memory.has(id) && !context.has(id);
  const said = pickIds(unheard, isSaid);
  const given = pickIds(unheard, ({ id }) => context.has(id));
  for (const { id } of unheard) heard.add(id);
  const passed = await hear(running, args, { newest: said, isStored: true });
  return hear(running, { ...args, messages: passed }, { newest: given, isStored: false });
}

function pickIds(messages: readonly Message[], isPicked: (message: Message) => boolean): ReadonlySet<string> {
  return new Set(messages.filter(isPicked).map(({ id }) => id));
}

interface Hearing {
  readonly newest: ReadonlySet<string>;
  readonly isStored: boolean;
  /** Whether the model gets it as it was said, whatever hooks make of it. */
  readonly isFixed?: boolean;
}

const FIXED =
  'Hooks have changed this message, and an agent that routes for a network tells its model what was said, word by word. Change it before you call network.';

async function hear(
  { turn }: Running,
  { messages, abort }: Pick<ProcessInputArgs, 'messages' | 'abort'>,
  { newest, isStored, isFixed = false }: Hearing,
): Promise<Message[]> {
  const heard: Message[] = [];
  for (const message of messages) {
    if (!newest.has(message.id)) {
      heard.push(message);
      continue;
    }
    const content = readText(message);
    const files = await readMessageFiles(message);
    const verdict = await hearUser(turn, { content, files, isStored, id: message.id });
    if (verdict.isDenied) abort(verdict.reason, { metadata: { userMessage: verdict.userMessage } });
    else if (verdict.content === content && keepsFiles(verdict)) heard.push(message);
    else if (isFixed) abort(FIXED);
    else heard.push(changeMessage(message, files, verdict));
  }
  return heard;
}

/** The messages of the user that the memory ends with. An agent that routes for a network has no input of the user: what they say is there already. */
function findWaiting(remembered: readonly Message[]): ReadonlySet<string> {
  const first = remembered.findLastIndex((message) => !isUsers(message)) + 1;
  return pickIds(remembered.slice(first), isUsers);
}

/**
 * The ids of what the user says now. Mastra sorts the input into what its memory has, by the time that each message claims: a client chooses that
 * time, and the clocks of two machines differ. So what is new is known by where it comes from. Without a memory, the input may be a whole conversation.
 */
function findGiven({ messageList }: ProcessInputArgs): ReadonlySet<string> {
  const { input, remembered } = messageList.get;
  const known = new Set(remembered.db().map(({ id }) => id)); // Of two with one id, Mastra takes what it remembers.
  const given = sortAsGiven(input.db(), messageList.makeMessageSourceChecker().input);
  const hasMemory = given.some(({ threadId }) => threadId !== undefined);
  const first = hasMemory ? 0 : given.findLastIndex((message) => !isUsers(message)) + 1;
  const isNew = (message: Message): boolean => isUsers(message) && !known.has(message.id);
  return new Set(given.slice(first).flatMap((message) => (isNew(message) ? [message.id] : [])));
}

/** The messages of the input in the order in which it has them: Mastra has sorted them by their times. */
function sortAsGiven(messages: readonly Message[], ids: ReadonlySet<string>): Message[] {
  const places = new Map([...ids].map((id, place) => [id, place]));
  return messages.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
}

/** Whether the model gets it as said by the user: Mastra makes that of a signal, whatever its type. */
function isUsers({ role }: Message): boolean {
  return role === 'user' || role === 'signal';
}
