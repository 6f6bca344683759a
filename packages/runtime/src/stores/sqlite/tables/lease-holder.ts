/** Who has a lease, and for which turn. */
export interface LeaseHolder {
  readonly owner: string;
  readonly turnId: string | undefined;
}

/** An owner's name that reads as one with a turn is written as one too, so that each comes back as it was. */
const WITH_TURN = /^turn (\d+) /;

/** Both in the one column that names the owner: a release that knows of no turns sees another owner, and stays away. */
export function encodeHolder({ owner, turnId = '' }: LeaseHolder): string {
  if (turnId === '' && !WITH_TURN.test(owner)) return owner;
  return `turn ${turnId.length} ${turnId}${owner}`;
}

export function decodeHolder(text: string): LeaseHolder {
  const [head, length] = WITH_TURN.exec(text) ?? [];
  if (head === undefined) return { owner: text, turnId: undefined };
  const end = head.length + Number(length);
  return { owner: text.slice(end), turnId: text.slice(head.length, end) || undefined };
}
