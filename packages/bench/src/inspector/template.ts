import type { Outcome, TurnMark } from '@spec/hooks';
import type { Append, LedgerEntry, Store, StoredMessage } from '@spec/runtime';
import { type Random, seededRandom } from '../redact/random.ts';

// What the store itself makes of a thousand turns of a support agent: four messages each, with five runs of hooks on each message.
// Twelve threads are talked on at a time, and a hundredth of all turns is in one long thread.

export const turnsInTemplate = 1_000;
export const messagesInTurn = 4;
export const runsOnMessage = 5;
export const longThreadId = 'order-long';
/** Stands in every id, and makes room for what tells copies apart. */
export const copyMark = '@@@@';
/** Before all times of the template, in microseconds; nothing else in it begins with these digits. */
export const templateStart = 1_000_000_000_000_000;
/** From one turn to the next. */
export const turnMicros = 1_000_000;
const stepMicros = turnMicros / (messagesInTurn + 1);

const turnsInThread = 20;
const threadsAtOnce = 12;
const longEvery = 100;

/** Writes the turns to an empty store. */
export async function writeTemplate(store: Store): Promise<void> {
  const random = seededRandom('inspector');
  const known = new Set<string>();
  for (let turn = 0; turn < turnsInTemplate; turn++) {
    const at = templateStart + turn * turnMicros;
    const thread = pickThread(turn, random);
    if (!known.has(thread)) await createThread(store, thread, at);
    known.add(thread);
    await Promise.all(
      writeTurn({ thread, turn, at }, random).map((append) => store.append(thread, 0, append)),
    );
  }
}

function pickThread(turn: number, random: Random): string {
  if (turn % longEvery === 0) return longThreadId;
  const group = Math.floor(turn / (turnsInThread * threadsAtOnce));
  return `order-${copyMark}-${group * threadsAtOnce + random.below(threadsAtOnce)}`;
}

function createThread(store: Store, id: string, createdAt: number): Promise<void> {
  return store.createThread({
    ...{ id, createdAt, agentId: 'support', userId: null, parentId: null, depth: 0 },
    ...{ currentSide: 'a', terminated: null, turn: null, compaction: null, metadata: {} },
  });
}

interface TurnPlace {
  readonly thread: string;
  readonly turn: number;
  /** Microseconds since the epoch. */
  readonly at: number;
}

/** The commits of a turn, a message each. */
function writeTurn({ thread, turn, at }: TurnPlace, random: Random): Append[] {
  const turnId = `0${copyMark}${turn.toString(36).padStart(3, '0')}`;
  const call = `call_${copyMark}${turn}`;
  return writeMessages({ turnId, call, at }, random).map((message, step) => {
    const place = { threadId: thread, turnId, step: step < 2 ? 1 : 2 };
    const runs = makeRuns(message, random).map((run, i): LedgerEntry => {
      const about = run.hook.includes('tool') ? { call } : { message: message.id };
      return {
        ...run,
        ...place,
        about,
        source: `hooks/${run.id}.ts:3`,
        at: message.created_at - (runsOnMessage - i) * 400,
      };
    });
    return {
      messages: [message],
      runs,
      marks: makeMarks(message, { ...place, at: message.created_at, ms: 180 }, step === 3),
    };
  });
}

type MarkPlace = Pick<LedgerEntry, 'threadId' | 'turnId' | 'step' | 'at' | 'ms'>;

function makeMarks(
  { role, tool_call_id: call }: StoredMessage,
  place: MarkPlace,
  isLast: boolean,
): TurnMark[] {
  if (role === 'user') return [];
  if (role === 'tool')
    return [{ ...place, kind: 'tool', call: call ?? '', tool: 'get_order', status: 'success' }];
  const model = { ...place, kind: 'model', model: 'scripted', inputTokens: 812, outputTokens: 41 } as const;
  return isLast ? [model, { ...place, kind: 'end', status: 'completed', ms: 800 }] : [model];
}

const words =
  'parcel refund invoice lamp delivery address customer warranty voucher return Friday broken'.split(' ');

function writeText(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick(words)).join(' ');
}

interface TurnIds {
  readonly turnId: string;
  readonly call: string;
  readonly at: number;
}

function writeMessages({ turnId, call, at }: TurnIds, random: Random): StoredMessage[] {
  const asked = { name: 'get_order', arguments: '{"order":"A-1042"}' };
  const texts = [
    { role: 'user', content: writeText(random, 20) },
    {
      role: 'assistant',
      content: null,
      tool_calls: JSON.stringify([{ id: call, type: 'function', function: asked }]),
    },
    { role: 'tool', content: writeText(random, 60), name: 'get_order', tool_call_id: call },
    { role: 'assistant', content: writeText(random, 40) },
  ] as const;
  return texts.map((text, i) => ({ ...text, id: `${turnId}.${i}`, created_at: at + (i + 1) * stepMicros }));
}

type Run = Omit<LedgerEntry, 'threadId' | 'turnId' | 'step' | 'at' | 'source'>;

/** The runs on a message: mostly fine, as hooks are; some hundredth changes it, some thousandth is denied or fails. */
function makeRuns({ role, tool_calls: calls }: StoredMessage, random: Random): Run[] {
  const dice = random.below(1_000);
  const make = (hook: string, id: string, outcome: Outcome = 'ok'): Run => {
    const size = 100 + random.below(400);
    const changed = outcome === 'changed';
    const ms = outcome === 'skipped' ? 0 : (1 + random.below(3_000)) / 1_000;
    return { hook, id, outcome, changed, ms, sizeBefore: size, sizeAfter: changed ? size - 12 : size };
  };
  const own = calls
    ? [
        {
          ...make('before_tool_call', 'no_deletes', 'skipped'),
          why: 'tools: delete_* does not match get_order',
        },
        make('before_tool_call', 'approve_refunds', dice === 0 ? 'denied' : 'ok'),
      ]
    : role === 'tool'
      ? [
          make('before_store_tool_result', 'redact_cards', dice < 40 ? 'changed' : 'ok'),
          make('after_tool_call_success', 'translate', dice === 40 ? 'failed' : 'ok'),
        ]
      : [make('filter_messages', 'limit_messages', 'changed'), make('filter_messages', 'drop_old')];
  return [
    ...own,
    make('before_create_message', 'redact_mail', dice < 20 ? 'changed' : 'ok'),
    make('before_create_message', 'stamp'),
    make('after_create_message', 'audit'),
  ];
}
