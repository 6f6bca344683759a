/** What `redact` finds by itself. */
export type RedactKind = 'card' | 'email' | 'phone' | 'secret' | 'date_of_birth' | 'iban' | 'national_id';
