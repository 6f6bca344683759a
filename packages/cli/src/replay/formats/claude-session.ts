import type { ClaudeBlock, ClaudeLine } from './claude-lines.ts';
import { readSaidOfClaude } from './claude-said.ts';
import { type ClaudeTree, claudeTree } from './claude-tree.ts';
import { makeRecorded, type Recorded } from './said.ts';

/** A conversation of a session file: the session's own, or one of its subagents'. */
export interface ClaudeConversation extends Recorded {
  /** The session's id, followed by `/` and the agent's for a subagent; empty where the lines name no session. */
  readonly id: string;
  /** The number of its first line. */
  readonly line: number;
}

/**
 * The conversations in lines of session files.
 *
 * S1 Lines are a tree: going back and saying something else leaves a branch behind. The conversation is the branch that ends
 *    with the last message; what stands on no other is left out.
 * S2 Calls that were made side by side, and their results, are branches of their own: they belong to the answer that made them.
 * S3 A compaction begins a new tree, which knows where it goes on.
 * S4 What a subagent did (`isSidechain`) is a conversation of its own.
 */
export function claudeConversations(lines: readonly ClaudeLine[]): ClaudeConversation[] {
  const tree = claudeTree(lines);
  const branches = [...tree.tracks].flatMap(([id, track]) => findBranch(id, track, tree));
  return branches
    .filter(({ leaf }) => !branches.some((other) => other.leaf !== leaf && other.lines.has(leaf)))
    .flatMap(({ id, lines: some }) => {
      const ordered = [...some].toSorted((a, b) => a.number - b.number);
      const recorded = makeRecorded(readSaidOfClaude(ordered));
      return recorded.messages.length === 0 ? [] : [{ ...recorded, id, line: ordered[0]?.number ?? 0 }];
    });
}

interface Branch {
  readonly id: string;
  readonly leaf: ClaudeLine;
  readonly lines: ReadonlySet<ClaudeLine>;
}

function findBranch(id: string, track: readonly ClaudeLine[], tree: ClaudeTree): Branch[] {
  const leaf = track.findLast(({ message, isMeta }) => message !== undefined && isMeta !== true);
  if (leaf === undefined) return [];
  const lines = new Set(tree.chainTo(leaf));
  const answers = new Set([...lines].flatMap(answerId));
  for (const line of track) if (answerId(line).some((one) => answers.has(one))) lines.add(line);
  const calls = new Set([...lines].flatMap(callIds));
  for (const line of track) if (resultIds(line).some((one) => calls.has(one))) lines.add(line);
  return [{ id, leaf, lines }];
}

function answerId({ type, message }: ClaudeLine): string[] {
  return type === 'assistant' && message?.id !== undefined ? [message.id] : [];
}

function callIds(line: ClaudeLine): string[] {
  return readBlocks(line).flatMap(({ type, id }) => (type === 'tool_use' && id !== undefined ? [id] : []));
}

function resultIds(line: ClaudeLine): string[] {
  return readBlocks(line).flatMap(({ type, tool_use_id: id }) =>
    type === 'tool_result' && id !== undefined ? [id] : [],
  );
}

function readBlocks({ message }: ClaudeLine): readonly ClaudeBlock[] {
  return message === undefined || typeof message.content === 'string' ? [] : message.content;
}
