import type { MessageRow, NamedRun } from '../../api.ts';

/** A row of a conversation: the head of a turn, a message, or runs that were about none that is stored. */
export type ConversationItem =
  | { readonly kind: 'turn'; readonly key: string; readonly turn: string; readonly at: number }
  | { readonly kind: 'message'; readonly key: string; readonly message: MessageRow }
  | { readonly kind: 'runs'; readonly key: string; readonly runs: readonly NamedRun[] };

/** Puts each message, and the runs that were about none, under the head of the turn that they are of. */
export function listItems(
  messages: readonly MessageRow[],
  after: readonly NamedRun[],
): readonly ConversationItem[] {
  const items: ConversationItem[] = [];
  let turn: string | null = null;
  const enter = (own: string | null | undefined, at: number, by: string): void => {
    if (own === null || own === undefined || own === turn) return;
    items.push({ kind: 'turn', key: `turn by ${by}`, turn: own, at });
    turn = own;
  };
  const addRuns = (runs: readonly NamedRun[]): void => {
    for (const group of groupByTurn(runs)) {
      const [{ run, turnId, at }] = group;
      enter(turnId, at, run);
      items.push({ kind: 'runs', key: `runs from ${run}`, runs: group });
    }
  };
  for (const message of messages) {
    addRuns(message.before);
    enter(message.runs[0]?.turnId, message.createdAt, message.id);
    items.push({ kind: 'message', key: message.id, message });
  }
  addRuns(after);
  return items;
}

type Group = [NamedRun, ...NamedRun[]];

/** Runs that follow each other in one turn. */
function groupByTurn(runs: readonly NamedRun[]): readonly Group[] {
  const groups: Group[] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    if (last?.[0].turnId === run.turnId) last.push(run);
    else groups.push([run]);
  }
  return groups;
}
