/** The built-in kinds of `redact`. `options.ts` has the detector of each, and the list of all of them. */
export type RedactKind = 'card' | 'email' | 'phone' | 'secret' | 'date_of_birth' | 'iban' | 'national_id';
