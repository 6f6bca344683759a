import type { ToolCallRecord } from '@spec/runtime';
import type { MessageRange, MessageRow, StoreDriver } from '@spec/runtime/store-kit';
import { type ItemRow, messageColumns, readItem } from '../commits/look.ts';
import { rows } from '../commits/packet.ts';
import type { Session } from '../connection/session.ts';
import { decodeText, encodeText } from '../texts.ts';

/** The methods that read what a turn appends. */
export type MessageMethods = Required<
  Pick<StoreDriver, 'findMessage' | 'listMessages' | 'countMessages' | 'listToolCalls' | 'listQueue'>
>;

const ofThread = '(select t.key from $schema.threads t where t.id = $1)';

/** Prepares the statements over messages, tool calls and the queue. */
export function messageMethods(session: Session): MessageMethods {
  const find = session.prepare(
    `select ${messageColumns} from $schema.messages m where m.thread = ${ofThread} and m.id = $2`,
  );
  const count = session.prepare(
    `select count(*)::float8 from $schema.messages m where m.thread = ${ofThread}`,
  );
  const queue = session.prepare(
    `select q.id, q.kind, q.payload from $schema.queue q where q.thread = ${ofThread} order by q.key`,
  );
  return {
    async findMessage(threadId, id) {
      const [row] = await session.ask(find, [encodeText(threadId), encodeText(id)]);
      return row ? rows.decode(row as MessageRow, threadId) : null;
    },
    async listMessages(threadId, range) {
      const found = await readMessages(session, threadId, range);
      return found.map((row) => rows.decode(row, threadId));
    },
    async countMessages(threadId) {
      const [[number] = []] = await session.ask(count, [encodeText(threadId)]);
      return Number(number);
    },
    listToolCalls: callList(session),
    async listQueue(threadId) {
      const items = await session.ask(queue, [encodeText(threadId)]);
      return items.map((row) => readItem(row as unknown as ItemRow, threadId));
    },
  };
}

/** The rows of messages in a range, in order. An unknown `before` or `after` has no place, so nothing is beyond it. */
async function readMessages(
  session: Session,
  threadId: string,
  { count, from, before, after }: MessageRange,
): Promise<MessageRow[]> {
  const values: unknown[] = [encodeText(threadId), count < 0 ? null : count];
  const beyond = (sign: '<' | '>', id: string | undefined) =>
    id === undefined
      ? ''
      : ` and m.seq ${sign} (select p.seq from $schema.messages p where p.thread = ${ofThread} and p.id = $${values.push(encodeText(id))})`;
  const where = `m.thread = ${ofThread}${beyond('<', before)}${beyond('>', after)}`;
  const order = from === 'start' ? 'asc' : 'desc';
  const list = session.prepare(
    `select ${messageColumns} from $schema.messages m where ${where} order by m.seq ${order} limit $2::bigint`,
  );
  const found = [...(await session.ask(list, values))] as unknown as MessageRow[];
  return from === 'start' ? found : found.reverse();
}

type CallRow = [
  messageId: string,
  position: number,
  id: string,
  name: string,
  status: ToolCallRecord['status'],
];

function callList(session: Session): MessageMethods['listToolCalls'] {
  return async (threadId, { status, messageId }) => {
    const values: unknown[] = [encodeText(threadId)];
    const isMessage = messageId === undefined ? '' : ` and m.id = $${values.push(encodeText(messageId))}`;
    const hasStatus = status === undefined ? '' : ` and c.status = $${values.push(status)}`;
    const list = session.prepare(`
      select m.id, c.position, c.id, c.name, c.status from $schema.tool_calls c
      join $schema.messages m on m.thread = c.thread and m.seq = c.seq
      where c.thread = ${ofThread}${isMessage}${hasStatus} order by c.seq, c.position`);
    return (await session.ask(list, values)).map((row) => readCall(row as CallRow));
  };
}

function readCall([messageId, position, id, name, status]: CallRow): ToolCallRecord {
  return { id: decodeText(id), messageId: decodeText(messageId), position, name: decodeText(name), status };
}
