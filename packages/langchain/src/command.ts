import { type BaseMessage, coerceMessageLikeToMessage } from '@langchain/core/messages';
import { Command, Send } from '@langchain/langgraph';
import { isRecord } from '@spec/hooks';

// A tool that gives a command gives messages with it, in any form that LangGraph takes: one or a list, as objects or as records, to the state
// of its graph or to the nodes that it sends to.

/** The command with its messages as objects, so that each is the same one whenever it is looked at. */
export function readCommand(command: Command): Command {
  return mapMessages(command, (message) => [message]);
}

/** All messages that a command gives. */
export function listMessages(command: Command): readonly BaseMessage[] {
  const messages: BaseMessage[] = [];
  mapMessages(command, (message) => {
    messages.push(message);
    return [message];
  });
  return messages;
}

/** The command with other messages; the very same where none is another. */
export function mapMessages(
  command: Command,
  change: (message: BaseMessage) => readonly BaseMessage[],
): Command {
  const mapping: Mapping = { change, hasChanged: false };
  const update = mapUpdate(command.update, mapping);
  const goto = mapGoto(command.goto, mapping);
  if (!mapping.hasChanged) return command;
  const { graph, resume } = command;
  return new Command({
    ...(graph === undefined ? {} : { graph }),
    ...(goto === undefined ? {} : { goto }),
    ...(resume === undefined ? {} : { resume }),
    ...(update === undefined ? {} : { update }),
  } as ConstructorParameters<typeof Command>[0]);
}

interface Mapping {
  readonly change: (message: BaseMessage) => readonly BaseMessage[];
  hasChanged: boolean;
}

/** An update is a record, or a list of pairs. */
function mapUpdate(update: unknown, mapping: Mapping): unknown {
  if (Array.isArray(update))
    return update.map((pair: unknown) =>
      Array.isArray(pair) && pair[0] === 'messages' ? ['messages', mapValue(pair[1], mapping)] : pair,
    );
  return mapState(update, mapping);
}

function mapState(state: unknown, mapping: Mapping): unknown {
  const { messages } = (state ?? {}) as { readonly messages?: unknown };
  return messages === undefined ? state : { ...(state as object), messages: mapValue(messages, mapping) };
}

function mapGoto(goto: unknown, mapping: Mapping): unknown {
  if (Array.isArray(goto)) return goto.map((one) => mapGoto(one, mapping));
  return goto instanceof Send ? new Send(goto.node, mapState(goto.args, mapping)) : goto;
}

const OVERWRITE = '__overwrite__';

function mapValue(value: unknown, mapping: Mapping): unknown {
  const [isOverwriting, inner] = readOverwrite(value);
  if (isOverwriting) return { [OVERWRITE]: mapValue(inner, mapping) };
  const given = Array.isArray(value) ? (value as unknown[]) : [value];
  return given.flatMap((one) => {
    const message = coerceMessageLikeToMessage(one as Parameters<typeof coerceMessageLikeToMessage>[0]);
    const changed = mapping.change(message);
    mapping.hasChanged ||= changed.length !== 1 || changed[0] !== one;
    return changed;
  });
}

/** What takes the place of all messages of a state, in the two forms that LangGraph knows. */
function readOverwrite(value: unknown): readonly [isOverwriting: boolean, inner: unknown] {
  if (!isRecord(value)) return [false, undefined];
  if (OVERWRITE in value) return [true, value[OVERWRITE]];
  return [value.type === OVERWRITE && 'value' in value, value.value];
}
