/** An id in its usual groups, as its issuer writes it, and without separators. */
export interface PrintedId {
  readonly printed: string;
  readonly bare: string;
}

export const two = (number: number): string => String(number).padStart(2, '0');
export const readDigits = (digits: string): number[] => Array.from(digits, Number);
export const weighted = (digits: string, weights: readonly number[]): number =>
  readDigits(digits).reduce((sum, digit, index) => sum + digit * (weights[index] as number), 0);
export const same = (bare: string): PrintedId => ({ printed: bare, bare });
