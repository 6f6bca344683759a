/** A sum over texts that tells, all but surely, whether they are the same ones again. It is no proof against forgery. */
export interface LineSum {
  add(text: string): void;
  sum(): string;
}

/** Two FNV-1a sums of 32 bits over UTF-16 code units, with different primes. */
export function lineSum(): LineSum {
  let one = 0x811c9dc5;
  let two = 0x9747b28c;
  return {
    add(text) {
      for (let at = 0; at < text.length; at += 1) {
        const unit = text.charCodeAt(at);
        one = Math.imul(one ^ unit, 0x01000193);
        two = Math.imul(two ^ unit, 0x85ebca6b);
      }
    },
    sum: () => `${one}:${two}`,
  };
}
