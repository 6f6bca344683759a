/** What a call may cost, before it is made. */
export interface Reservation {
  /** Whose limit it counts for. */
  readonly key: string;
  /** The call that it is for; a call has one reservation. */
  readonly callId: string;
  /** Tokens or micro-dollars. */
  readonly amount: number;
  /** What the key may spend in all. */
  readonly limit: number;
}

/** Where `limitCost` keeps what was spent. Each method is one atomic step, also among processes. */
export interface CostStore {
  /** Reserves an amount if it still fits under the limit, in the place of an earlier one of the same call. Returns what is spent and reserved without it, and whether it fits. */
  reserve(reservation: Reservation): Promise<{ readonly fits: boolean; readonly spent: number }>;
  /** Puts what a call cost in the place of what was reserved for it. A call without a reservation changes nothing. */
  settle(key: string, callId: string, amount: number): Promise<void>;
}

/** What one key has spent. */
export interface Account {
  readonly spent: number;
  /** What is reserved, by call. */
  readonly reserved: Readonly<Record<string, number>>;
}

/** An account of which nothing is spent. */
export const newAccount: Account = { spent: 0, reserved: {} };

/** An account with a reservation, if that fits. */
export function reserveIn(
  account: Account,
  { callId, amount, limit }: Reservation,
): { readonly fits: boolean; readonly spent: number; readonly next: Account } {
  const { [callId]: _, ...others } = account.reserved;
  const spent = Object.values(others).reduce((sum, one) => sum + one, account.spent);
  const fits = spent + amount <= limit;
  const reserved = fits ? { ...others, [callId]: amount } : others;
  return { fits, spent, next: { ...account, reserved } };
}

/** An account after a call. */
export function settleIn(account: Account, callId: string, amount: number): Account {
  const { [callId]: reserved, ...others } = account.reserved;
  return reserved === undefined ? account : { spent: account.spent + amount, reserved: others };
}

/** Keeps what is spent in this process, and forgets it with the process. */
export function memoryCosts(): CostStore {
  const accounts = new Map<string, Account>();
  const find = (key: string): Account => accounts.get(key) ?? newAccount;
  return {
    async reserve(reservation) {
      const { next, ...told } = reserveIn(find(reservation.key), reservation);
      accounts.set(reservation.key, next);
      return told;
    },
    settle: async (key, callId, amount) => void accounts.set(key, settleIn(find(key), callId, amount)),
  };
}
