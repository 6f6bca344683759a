/** The day since 1970 whose share of the long proofs runs: another share each day, until all have had their turn. */
export const sampleOfDay: string = process.env.SAMPLE_OF_DAY ?? `${Math.floor(Date.now() / 86_400_000)}`;

/** Says how to run the same share again. */
export function setup(): void {
  console.info(
    `Of the long proofs, the share of day ${sampleOfDay} runs: SAMPLE_OF_DAY=${sampleOfDay} runs it again, npm run test:everything runs all.\n`,
  );
}
