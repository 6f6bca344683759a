/** The built-in kinds of `redact`. `options.ts` has the detector of each. */
export type RedactKind = 'card' | 'email' | 'phone' | 'secret' | 'date_of_birth' | 'iban' | 'national_id';
