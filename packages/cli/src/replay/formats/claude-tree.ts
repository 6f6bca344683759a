import type { ClaudeLine } from './claude-lines.ts';

/** The lines of session files as the tree that they are. */
export interface ClaudeTree {
  /** Lines of one session, or of one of its subagents, in the order of the file. */
  readonly tracks: ReadonlyMap<string, readonly ClaudeLine[]>;
  /** A line and all before it, newest first. */
  chainTo(line: ClaudeLine): ClaudeLine[];
}

/**
 * Links lines by `parentUuid`, after a compaction by `logicalParentUuid`. Where the line that is named is not there, or none is
 * named, it is the one before it on its track. No line twice: sessions that go on in a new file repeat what was before.
 */
export function claudeTree(all: readonly ClaudeLine[]): ClaudeTree {
  const byUuid = new Map<string, ClaudeLine>();
  const tracks = new Map<string, ClaudeLine[]>();
  const before = new Map<ClaudeLine, ClaudeLine | undefined>();
  for (const line of all) {
    const { uuid } = line;
    if (uuid !== undefined && byUuid.has(uuid)) continue;
    if (uuid !== undefined) byUuid.set(uuid, line);
    if (uuid === undefined && line.message === undefined) continue;
    const track = findTrack(line, byUuid);
    const lines = tracks.get(track) ?? [];
    tracks.set(track, lines);
    before.set(line, lines.at(-1));
    lines.push(line);
  }
  const findParent = (line: ClaudeLine): ClaudeLine | undefined => {
    const named = line.parentUuid ?? line.logicalParentUuid;
    if (named === null || (named === undefined && line.parentUuid === null)) return undefined;
    const parent = (named === undefined ? undefined : byUuid.get(named)) ?? before.get(line);
    return parent !== undefined && isSide(parent) === isSide(line) ? parent : undefined;
  };
  return { tracks, chainTo: (line) => chain(line, findParent) };
}

function chain(line: ClaudeLine, parentOf: (line: ClaudeLine) => ClaudeLine | undefined): ClaudeLine[] {
  const lines = new Set<ClaudeLine>();
  for (let at: ClaudeLine | undefined = line; at !== undefined && !lines.has(at); at = parentOf(at))
    lines.add(at);
  return [...lines];
}

function isSide({ isSidechain }: ClaudeLine): boolean {
  return isSidechain === true;
}

/** A subagent's lines name it, or, in older files, only the line before. */
function findTrack(line: ClaudeLine, byUuid: ReadonlyMap<string, ClaudeLine>): string {
  const { sessionId = '', agentId } = line;
  return isSide(line) ? `${sessionId}/${agentId ?? findFirst(line, byUuid).uuid ?? ''}` : sessionId;
}

function findFirst(line: ClaudeLine, byUuid: ReadonlyMap<string, ClaudeLine>): ClaudeLine {
  const parent = (at: ClaudeLine): ClaudeLine | undefined => byUuid.get(at.parentUuid ?? '');
  return chain(line, (at) => {
    const above = parent(at);
    return above !== undefined && isSide(above) ? above : undefined;
  }).at(-1) as ClaudeLine;
}
