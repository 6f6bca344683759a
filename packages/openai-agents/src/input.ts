import type { AgentInputItem, RunState } from '@openai/agents';
import { DefinitionError } from '@spec/hooks';
import { MessageDeniedError, receiveOnce } from '@spec/hooks/host';
import { isCall, isSystem, isUser, readUserText, toCall, type UserItem } from './items.ts';
import type { Running } from './runs.ts';
import { changeUser, readItemFiles } from './user-files.ts';

/**
 * Sends what the user says now through its hooks: a text, or the messages of the user behind the last thing that a model or a tool made. What the
 * application tells the model may stand among them.
 *
 * @throws {MessageDeniedError}
 */
export async function receiveInput(
  running: Running,
  input: string | AgentInputItem[],
): Promise<string | AgentInputItem[]> {
  if (typeof input === 'string') return receiveText(running, input);
  const first = input.findLastIndex((item) => !isUser(item) && !isSystem(item)) + 1;
  return [...input.slice(0, first), ...(await receiveItems(running, input.slice(first)))];
}

async function receiveItems(running: Running, said: readonly AgentInputItem[]): Promise<AgentInputItem[]> {
  const items: AgentInputItem[] = [];
  for (const [place, item] of said.entries())
    items.push(isUser(item) ? await receiveItem(running, item, place) : item);
  return items;
}

/** A run that was interrupted, as much of it as hooks need: what was said meanwhile waits in it for the next call of a model. */
type Interrupted = Pick<
  RunState<unknown, never>,
  'pendingInput' | 'addInput' | 'clearPendingInput' | 'getInterruptions'
>;

/** What waits in a state and has been heard: a run may be interrupted again before it calls a model. */
const heardInputs = new WeakMap<Interrupted, string>();

/**
 * Sends what the user has said to a run that was interrupted through its hooks.
 *
 * @throws {MessageDeniedError} and then it still waits in the state
 */
export async function receivePending<State extends Interrupted>(
  running: Running,
  state: State,
): Promise<State> {
  const asked = state.getInterruptions().map(({ rawItem }) => rawItem as AgentInputItem);
  running.conversation.goOn(asked.filter(isCall).map(toCall));
  const { pendingInput } = state;
  if (pendingInput.length === 0 || heardInputs.get(state) === JSON.stringify(pendingInput)) return state;
  const received = await receiveItems(running, pendingInput);
  state.clearPendingInput();
  state.addInput(received);
  heardInputs.set(state, JSON.stringify(state.pendingInput));
  return state;
}

/** While a streamed run goes on, nobody would hear what is added to its state. @returns what ends that */
export function refuseLateInput(state: Interrupted): () => void {
  state.addInput = () => {
    throw new DefinitionError(
      'bad_option',
      'No hook hears what is added to the state of a run that goes on. Add it when the run is interrupted, before you run the state again.',
    );
  };
  return () => void Reflect.deleteProperty(state, 'addInput');
}

async function receiveText(running: Running, text: string): Promise<string | AgentInputItem[]> {
  const item = { role: 'user', content: text } as const;
  const received = await receiveItem(running, item, 0);
  return typeof received.content === 'string' ? received.content : [received];
}

/** @param place where it stands among what the user says now */
async function receiveItem({ turn, unanswered }: Running, item: UserItem, place: number): Promise<UserItem> {
  const content = readUserText(item);
  const files = await readItemFiles(item);
  const received = await receiveOnce(turn, unanswered, { content, files, place });
  if (received.isDenied) throw new MessageDeniedError(received.reason, received.userMessage);
  return changeUser(item, files, received);
}
