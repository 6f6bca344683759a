import fc from 'fast-check';

/**
 * Any character of Unicode but halves of pairs. `unit: 'binary'` of fast-check draws the same ones from a table of all of them, which takes a
 * second and 80 MB.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));
