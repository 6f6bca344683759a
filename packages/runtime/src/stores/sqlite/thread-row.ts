import type { ThreadChanges, ThreadRecord, TurnRecord } from '../../store.ts';
import { jsonText } from '../json.ts';
import type { threads } from './schema.ts';

/** The columns of `threads`, without the key. */
export type ThreadColumns = Omit<typeof threads.$inferSelect, 'key'>;

type TurnColumns = Pick<ThreadColumns, 'turnId' | 'turnStep' | 'turnPosition'>;

/** Changes to a thread as its columns have them. */
export interface ThreadUpdates {
  turn?: TurnColumns | undefined;
  currentSide?: ThreadRecord['currentSide'] | undefined;
  terminated?: string | null | undefined;
  metadata?: string | undefined;
}

/** The columns of a thread. @throws RunError `invalid_input` where its metadata is not JSON. */
export function encodeThread(record: ThreadRecord): ThreadColumns {
  const { turn, metadata, ...columns } = record;
  return { ...columns, ...encodeTurn(turn), metadata: encodeMetadata(metadata, record.id) };
}

/** The columns that changes touch. @throws as {@link encodeThread}. */
export function encodeChanges(changes: ThreadChanges, threadId: string): ThreadUpdates {
  const { turn, currentSide, terminated, metadata } = changes;
  return {
    turn: turn === undefined ? undefined : encodeTurn(turn),
    currentSide,
    terminated,
    metadata: metadata === undefined ? undefined : encodeMetadata(metadata, threadId),
  };
}

/** The thread of a row. */
export function decodeThread(row: ThreadColumns & { key?: number }): ThreadRecord {
  const { key, turnId, turnStep, turnPosition, metadata, ...record } = row;
  const turn = turnId === null ? null : { id: turnId, step: turnStep ?? 0, position: turnPosition ?? 0 };
  return { ...record, turn, metadata: JSON.parse(metadata) };
}

function encodeTurn(turn: TurnRecord | null): TurnColumns {
  return { turnId: turn?.id ?? null, turnStep: turn?.step ?? null, turnPosition: turn?.position ?? null };
}

function encodeMetadata(metadata: Record<string, unknown>, threadId: string): string {
  return jsonText(metadata, { code: 'invalid_input', name: `the metadata of thread ${threadId}`, threadId });
}
