import { isRecord, RunError, type ThreadState } from '@spec/hooks';
import { type Account, type CostStore, newAccount, reserveIn, settleIn } from './cost-store.ts';

/**
 * Keeps what a thread spends among the thread's own values: it is there after a restart, for every process, and gone with the thread.
 *
 * @param id of the hook, which names the value
 */
export function threadCosts(state: ThreadState, id: string): CostStore {
  const key = nameAccount(id);
  return {
    reserve: (reservation) =>
      change(state, key, (account) => {
        const { next, ...told } = reserveIn(account, reservation);
        return { next, told };
      }),
    settle: (_, callId, amount) =>
      change(state, key, (account) => ({ next: settleIn(account, callId, amount), told: undefined })),
  };
}

/** The key of the thread's value that keeps what it spends. */
export function nameAccount(id: string): string {
  return `${id}/account`;
}

/** Another process may change the account meanwhile: then it is looked at anew. */
async function change<Told>(
  state: ThreadState,
  key: string,
  make: (account: Account) => { readonly next: Account; readonly told: Told },
): Promise<Told> {
  for (;;) {
    const value = await state.getValue(key);
    const account = readAccount(value, key, state.threadId);
    const { next, told } = make(account);
    if (next === account || (await state.setValuesIf({ key, value }, [{ key, value: next }]))) return told;
  }
}

function readAccount(value: unknown, key: string, threadId: string): Account {
  if (value === undefined) return newAccount;
  const isAccount =
    isRecord(value) &&
    typeof value.spent === 'number' &&
    isRecord(value.reserved) &&
    Object.values(value.reserved).every((amount) => typeof amount === 'number');
  if (isAccount) return value as unknown as Account;
  const message = `The value ${key} of thread ${threadId} is not what limitCost keeps there. Remove it, or restore a copy of the store.`;
  throw new RunError('store_unreadable', message, { threadId });
}
