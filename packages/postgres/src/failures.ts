import { RunError } from '@spec/hooks';

/** Names a store by its schema. Its address may hold a password and is never told. */
export function nameStore(schema: string): string {
  return `store in PostgreSQL, schema ${schema}`;
}

/** The error of an operation that failed on a database that can be used. */
export function failed(schema: string, problem: string): RunError {
  return new RunError('store_failed', `${nameStore(schema)}: ${problem}`);
}

/** The error of a database that no operation can use. */
export function unreadable(schema: string, problem: string): RunError {
  return new RunError('store_unreadable', `${nameStore(schema)}: ${problem}`);
}

/** The code of an error: five characters, or the name of a system error. The texts of errors hold data. */
function readCode(error: unknown): string {
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]{2,40}$/.test(code) ? code : 'unknown';
}

/** Whether the connection is gone or the server takes no more connections. Then the error says nothing about the statement. */
export function isLost(error: unknown): boolean {
  const code = readCode(error);
  if (code === 'unknown') return error instanceof Error && lostTexts.test(error.message);
  return lostCodes.test(code);
}

/** The codes of the system, of lost connections (08), of a server that stops or starts (57P), and of a full one (53300). */
const lostCodes = /^(?:E(?:CONN|PIPE|TIMEDOUT|HOST|NET|AI_|NOTFOUND)|08|57P0[123]|53300)/;

/** Errors of the driver have no codes. */
const lostTexts =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Client was closed)/;

/** Whether the server undid a statement because of another one. The same statement may succeed now. */
export function isUndone(error: unknown): boolean {
  return /^40(?:001|P01)$/.test(readCode(error));
}

/** What an error means for the caller, and what to do about it. It leaves out the server's own text (C9). */
export function storeFailure(error: unknown, schema: string): unknown {
  if (error instanceof RunError) return error;
  const code = readCode(error);
  const known = Object.entries(remedies).find(([codes]) =>
    codes.split(' ').some((one) => code.startsWith(one)),
  );
  if (known !== undefined) {
    const [kind, problem] = known[1];
    return (kind === 'failed' ? failed : unreadable)(schema, `${problem} (${code})`);
  }
  if (isLost(error)) return unreachable(schema, error);
  if (error instanceof Error && error.message.startsWith('SASL')) return unreadable(schema, noPassword);
  if (!/^[0-9A-Z]{5}$/.test(code))
    return failed(schema, `the connection failed (${code}); check host, port and TLS of the address`);
  return failed(schema, `the server refused the operation (${code}); the server's log says why`);
}

/** The error if the server stayed out of reach for as long as the store waits. */
export function unreachable(schema: string, error: unknown): RunError {
  const problem = `the server cannot be reached (${readCode(error)}). Check that it runs and that this machine may connect to it, and try again; nobody knows whether a write that was under way was stored`;
  return failed(schema, problem);
}

const noPassword =
  'the server wants a password, and there is none; put it into PGPASSWORD, the file PGPASSFILE or the url';

type Remedy = readonly [kind: 'failed' | 'unreadable', problem: string];

/** By the first characters of SQLSTATE; the first match counts. */
const remedies: Readonly<Record<string, Remedy>> = {
  '28': [
    'unreadable',
    'the server does not let this user in; check the user and the password, which may come from PGPASSWORD',
  ],
  '3D000': ['unreadable', 'there is no such database; create it, or name another one'],
  '42501': [
    'unreadable',
    'this user lacks rights; grant it usage of the schema, rights on its tables, sequences and functions, or let its owner open the store once',
  ],
  '25006': [
    'unreadable',
    'nothing can be written: the server is a replica, or the store was opened with readOnly; connect to the primary',
  ],
  '42P01 3F000 42883': [
    'unreadable',
    'tables or functions of the store are missing; open it once without migrate: false, or restore a copy',
  ],
  '54000': ['failed', 'an id, a key or a path is too long for an index; use one of at most 2,000 bytes'],
  '54': ['failed', 'what was to be stored is larger than PostgreSQL takes; keep it elsewhere'],
  '55P03': [
    'failed',
    'a row was locked for too long; nothing was stored. Look for a transaction that stays open, and try again',
  ],
  '57014': [
    'failed',
    'the statement took too long and was ended; nothing was stored. Look at the load of the server, give a longer statement_timeout, and try again',
  ],
  '53100': ['failed', 'the disk of the server is full; make room and try again'],
  '53200': ['failed', 'the server is out of memory; try again'],
  '40': [
    'failed',
    'the server undid the operation several times because of others; nothing was stored. Try again',
  ],
};
