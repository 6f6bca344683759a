const day = process.env.SAMPLE_OF_DAY;

/** Whether a share is enough: in `npm run test:everything` it is not. */
export const isSample: boolean = day !== undefined;

/** The share of this day, one of so many; all of them in `npm run test:everything`. */
export function pickShare<Item>(items: readonly Item[], shares: number): readonly Item[] {
  if (day === undefined) return items;
  return items.filter((_, at) => at % shares === Number(day) % shares);
}
