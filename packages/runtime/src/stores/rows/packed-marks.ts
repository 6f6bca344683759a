import type { AskMark, EndMark, ModelMark, SentMessages, ToolMark, TurnMark } from '@spec/hooks';

// M1: a mark is a list without the nulls at its end: its kind, time, milliseconds and step, then the fields of its kind.
// M2: times after the first mark's are stored as differences from it, steps as differences from the row's.
// M3: a message id that begins with the row's turn is stored without it, after a `t`; every other id after an `m`.

type Packed = [kind: string, at: number, ms: number, step: number, ...own: unknown[]];

/** A mark in its row; `step` is relative to the row's. */
export type RowMark = TurnMark extends infer Mark
  ? Mark extends TurnMark
    ? Omit<Mark, 'threadId' | 'turnId'>
    : never
  : never;

interface MarkRow {
  readonly turnId: string | null;
  readonly step: number;
}

/** Marks of one turn, as a part of their row. */
export function packMarks(marks: readonly TurnMark[], { turnId, step }: MarkRow): unknown[] {
  const first = marks[0]?.at ?? 0;
  return marks.map((mark, index) =>
    trimmed([
      kinds[mark.kind],
      index === 0 ? mark.at : mark.at - first,
      mark.ms,
      mark.step - step,
      ...packOwn(mark, turnId),
    ]),
  );
}

const kinds = { model: 'm', tool: 't', ask: 'a', end: 'e' } as const;

function packOwn(mark: TurnMark, turnId: string | null): unknown[] {
  switch (mark.kind) {
    case 'model': {
      const { model, code, inputTokens, outputTokens, sent } = mark;
      return [model, code, inputTokens, outputTokens, sent && packSent(sent, turnId)];
    }
    case 'tool':
      return [mark.call, mark.tool, mark.status === 'success' ? 1 : 0];
    case 'ask':
      return [mark.about, mark.allowed ? 1 : 0, mark.call];
    case 'end':
      return [mark.status, mark.code];
  }
}

function packSent({ request, stored, leftOut, left }: SentMessages, turnId: string | null): unknown[] {
  if (leftOut === 0) return [request, stored];
  const ids = left.map((id) =>
    turnId !== null && id.startsWith(turnId) ? `t${id.slice(turnId.length)}` : `m${id}`,
  );
  return [request, stored, leftOut, ...ids];
}

function trimmed(packed: Packed): Packed {
  while (packed.at(-1) === undefined) packed.pop();
  return packed;
}

/** The marks in a row. @throws if one is invalid */
export function unpackMarks(packed: unknown, turnId: string | null): RowMark[] {
  if (!Array.isArray(packed)) throw new TypeError('no marks');
  return (packed as Packed[]).map(([kind, at, ms, step, ...own], index) => {
    const time = index === 0 ? at : ((packed as Packed[])[0]?.[1] ?? 0) + at;
    if (![time, ms, step].every(Number.isFinite)) throw new TypeError('no mark');
    return { at: time, ms, step, ...unpackOwn(kind, own, turnId) } as RowMark;
  });
}

type Own<Mark extends TurnMark> = Omit<Mark, 'threadId' | 'turnId' | 'step' | 'at' | 'ms'>;

function unpackOwn(
  kind: string,
  own: readonly unknown[],
  turnId: string | null,
): Own<ModelMark> | Own<ToolMark> | Own<AskMark> | Own<EndMark> {
  const [first, second, third, fourth, fifth] = own;
  const text = readText(first);
  if (kind === 'm')
    return {
      kind: 'model',
      model: text,
      ...(second != null && { code: readText(second) }),
      ...(third != null && { inputTokens: Number(third) }),
      ...(fourth != null && { outputTokens: Number(fourth) }),
      ...(fifth != null && { sent: unpackSent(fifth, turnId) }),
    };
  if (kind === 't')
    return { kind: 'tool', call: text, tool: readText(second), status: third === 1 ? 'success' : 'error' };
  if (kind === 'a') {
    const about = text as AskMark['about'];
    return { kind: 'ask', about, allowed: second === 1, ...(third != null && { call: readText(third) }) };
  }
  if (kind !== 'e') throw new TypeError('no mark');
  const status = text as EndMark['status'];
  return { kind: 'end', status, ...(second != null && { code: readText(second) }) };
}

function unpackSent(packed: unknown, turnId: string | null): SentMessages {
  const [request, stored, leftOut = 0, ...ids] = packed as [number, number, number?, ...string[]];
  const left = ids.map((id) => (id.startsWith('t') ? `${turnId}${id.slice(1)}` : id.slice(1)));
  return { request, stored, leftOut, left };
}

function readText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('no mark');
  return value;
}
