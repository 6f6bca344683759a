/** The owner of a lease, and the turn that it is for. */
export interface LeaseHolder {
  readonly owner: string;
  readonly turnId: string | undefined;
}

/** The form with a turn. An owner whose name looks like this form is also written in it, so that every name can be decoded. */
const WITH_TURN = /^turn (\d+) /;

/** Owner and turn share the owner's column. So a release that knows no turns sees a different owner and stays away. */
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
