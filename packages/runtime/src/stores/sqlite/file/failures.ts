import { RunError } from '@spec/hooks';
import Database from 'better-sqlite3';

/**
 * What an error of SQLite means for the caller, and what to do about it. Other errors come back unchanged.
 * Leaves out SQLite's own text and keeps its code (C9).
 */
export function storeFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const { code } = error;
  if (isLocked(code)) return locked(path, code);
  if (isUnreadable(code))
    return unreadable(path, `it is not a database or it is damaged (${code}); restore a copy of it`);
  if (code.startsWith('SQLITE_CANTOPEN'))
    return unreadable(path, `it cannot be opened (${code}); check its folder and permissions`);
  if (code.startsWith('SQLITE_READONLY') || code === 'SQLITE_PERM') {
    return unreadable(
      path,
      `it cannot be written (${code}); check the permissions of the file and of its folder`,
    );
  }
  if (code === 'SQLITE_FULL') return failed(path, 'the disk is full (SQLITE_FULL); make room and try again');
  if (code.startsWith('SQLITE_IOERR'))
    return failed(
      path,
      `the disk failed (${code}); nothing was stored. Check the disk and its quota, and try again`,
    );
  if (code === 'SQLITE_TOOBIG')
    return failed(path, 'a text or a file is larger than SQLite takes (SQLITE_TOOBIG); keep it elsewhere');
  return failed(path, `SQLite refused the operation (${code})`);
}

/** The error of a file that no operation can use. */
export function unreadable(path: string, problem: string): RunError {
  return new RunError('store_unreadable', `store ${path}: ${problem}`);
}

/** The error of an operation that failed on a file that can be used. */
export function failed(path: string, problem: string): RunError {
  return new RunError('store_failed', `store ${path}: ${problem}`);
}

/** Whether a code says that somebody else has what is asked for. */
export function isLocked(code: string): boolean {
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

function isUnreadable(code: string): boolean {
  return code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT');
}

function locked(path: string, code: string): RunError {
  return failed(
    path,
    `another process kept it locked (${code}); nothing was stored. Try again, give a longer busyTimeoutMs, or end the process that holds it`,
  );
}
