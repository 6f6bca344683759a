import { MAX_BYTES } from './bounded-fetch.ts';

const LINE_FEED = 10;

/**
 * The lines that a process writes, whatever the pieces in which they come. Each byte is looked at and copied once: a buffer that is put together
 * anew with every piece holds this process up for seconds where a server sends some megabytes in one line.
 */
export class LineBuffer {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  /**
   * Takes a piece, and gives the lines that it ends, without their ends.
   *
   * @throws {RangeError} for a line of more than `MAX_BYTES`, which is forgotten
   */
  append(piece: Uint8Array): readonly string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, start)) {
      this.#add(piece.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    this.#add(piece.subarray(start));
    return lines;
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }

  #add(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > MAX_BYTES) {
      this.clear();
      throw new RangeError(`A line has more than ${MAX_BYTES} bytes.`);
    }
    if (piece.length > 0) this.#pieces.push(piece);
  }

  #take(): string {
    const line = Buffer.concat(this.#pieces).toString('utf8');
    this.clear();
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
