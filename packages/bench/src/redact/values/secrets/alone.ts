import type { Context } from '../../contexts.ts';

/** So many texts in which nothing stands but what was written: for what brings its surroundings with it. */
export const aloneIn = (count: number): readonly Context[] =>
  Array.from({ length: count }, (_, index) => ({ name: `alone ${index}`, write: (value) => value }));
