/** JSON.parse quotes its input in its messages; only the position is kept. */
export function parse(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    return {
      problem: `not valid JSON${position === undefined ? '' : `, at character ${Number(position) + 1}`}`,
    };
  }
}
