import { isTooDeep, MAX_LEVELS } from '../../json-depth.ts';

/** JSON.parse quotes its input in its messages; only the position is kept. */
export function parse(text: string): { value: unknown } | { problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? { problem: `nested deeper than ${MAX_LEVELS} levels` } : { value };
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    return {
      problem: `not valid JSON${position === undefined ? '' : `, at character ${Number(position) + 1}`}`,
    };
  }
}
