import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Never waits for a writer, and never takes a terminal. Windows has neither. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Why a file is not read although it is there. */
export type FileRefusal = 'EISDIR' | 'not_regular' | 'too_large';

/**
 * Reads a file of somebody else's making: a pipe, a device or a file without end is refused instead of read.
 *
 * @param maxBytes a larger file is refused, and no more than this is read
 * @throws {Error} with a {@link FileRefusal} or the system's word as `code`, and the end of a sentence about the file as message
 */
export function readRegularFile(path: string, maxBytes: number): Buffer {
  let file: number;
  try {
    file = openSync(path, FLAGS);
  } catch (error) {
    throw asSentence(error);
  }
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory()) throw refused('EISDIR', 'it is a folder');
    if (!stat.isFile()) throw refused('not_regular', 'it is no regular file');
    if (stat.size > maxBytes) throw tooLarge(maxBytes);
    return readUpTo(file, Math.min(maxBytes, stat.size || FIRST_READ), maxBytes);
  } catch (error) {
    throw asSentence(error);
  } finally {
    closeSync(file);
  }
}

/** Bytes to begin with where a file does not tell its size. */
const FIRST_READ = 65_536;

/** A file may grow while it is read. */
function readUpTo(file: number, expected: number, maxBytes: number): Buffer {
  let bytes = Buffer.allocUnsafe(expected + 1);
  let length = 0;
  for (;;) {
    const count = readSync(file, bytes, length, bytes.length - length, null);
    length += count;
    if (count === 0) return bytes.subarray(0, length);
    if (length > maxBytes) throw tooLarge(maxBytes);
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)]);
  }
}

function tooLarge(maxBytes: number): Error {
  const size = maxBytes >= MEGABYTE ? `${maxBytes / MEGABYTE} MB` : `${maxBytes} bytes`;
  return refused('too_large', `it has more than ${size}`);
}

const MEGABYTE = 1_048_576;

function refused(code: FileRefusal, why: string): Error {
  return Object.assign(new Error(why), { code });
}

/** The system's own message names the file once more: its word is enough. */
function asSentence(error: unknown): Error {
  const { code = 'unknown', syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error as Error;
  const why = code === 'ENOENT' ? 'it is not there' : `the system says ${code}`;
  return Object.assign(new Error(why), { code, syscall });
}
