import pg from 'pg';

// Knows nothing of the runtime: reads the tables, and says what is wrong.

interface Row {
  readonly thread: string;
  readonly parent: string | null;
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls: string | null;
  readonly tool_call_id: string | null;
}

/** What was sent to a thread, in this order. */
export type Sent = ReadonlyMap<string, readonly string[]>;

/** Reads all messages; gives a sentence for each that is lost, doubled or stuck. */
export async function findWrongs(
  { url, schema }: { url: string; schema: string },
  sent: Sent,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(`
    select t.id as thread, t.parent_id as parent, m.role, m.content, m.tool_calls, m.tool_call_id
    from ${schema}.messages m join ${schema}.threads t on t.key = m.thread order by m.thread, m.seq`);
  const open = await client.query(`select count(*)::int as count from ${schema}.open_turns`);
  const queued = await client.query(
    `select count(*)::int as count from ${schema}.queue where kind <> 'stop'`,
  );
  await client.end();
  const wrongs: string[] = [];
  if (open.rows[0].count > 0) wrongs.push(`${open.rows[0].count} turns are stuck`);
  if (queued.rows[0].count > 0) wrongs.push(`${queued.rows[0].count} items wait in queues`);
  const threads = groupRows(rows);
  for (const [thread, texts] of sent)
    wrongs.push(...findWrongTurns(thread, threads.get(thread) ?? [], texts));
  for (const [thread, own] of threads) {
    wrongs.push(...findWrongCalls(thread, own));
    const isHelper = own[0]?.parent != null;
    if (isHelper && own.length !== 2) wrongs.push(`thread ${thread} of a helper has ${own.length} messages`);
  }
  return wrongs;
}

function groupRows(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.thread, [...(groups.get(row.thread) ?? []), row]);
  return groups;
}

/** Each message that was sent is there once, and has one answer, before the next. */
function findWrongTurns(thread: string, rows: readonly Row[], texts: readonly string[]): string[] {
  const said = rows.filter(({ role }) => role === 'user').map(({ content }) => content);
  const answers = rows.flatMap(({ role, content, tool_calls }) =>
    role === 'assistant' && tool_calls === null ? [content] : [],
  );
  const wrongs: string[] = [];
  for (const text of texts) {
    const times = said.filter((one) => one === text).length;
    if (times !== 1) wrongs.push(`thread ${thread}: message "${text}" is there ${times} times`);
    const answered = answers.filter((one) => one === `answer to ${text}`).length;
    if (answered !== 1) wrongs.push(`thread ${thread}: message "${text}" has ${answered} answers`);
  }
  if (said.length !== texts.length)
    wrongs.push(`thread ${thread} has ${said.length} messages of ${texts.length}`);
  if (answers.length !== texts.length)
    wrongs.push(`thread ${thread} has ${answers.length} answers to ${texts.length}`);
  return wrongs;
}

/** Each call has one result, before the next answer. */
function findWrongCalls(thread: string, rows: readonly Row[]): string[] {
  const wrongs: string[] = [];
  let waiting = new Set<string>();
  for (const { role, tool_calls, tool_call_id } of rows) {
    if (role === 'tool' && !waiting.delete(tool_call_id ?? ''))
      wrongs.push(`thread ${thread}: call ${tool_call_id} has a result too many`);
    if (role === 'tool') continue;
    if (waiting.size > 0) wrongs.push(`thread ${thread}: calls ${[...waiting].join(', ')} have no result`);
    const calls: { id: string }[] = tool_calls === null ? [] : JSON.parse(tool_calls);
    waiting = new Set(calls.map(({ id }) => id));
  }
  if (waiting.size > 0) wrongs.push(`thread ${thread}: calls ${[...waiting].join(', ')} have no result`);
  return wrongs;
}
