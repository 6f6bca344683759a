import type { Kind } from './kind.ts';
import { birthDateKinds } from './values/birth-dates.ts';
import { cardKinds } from './values/cards.ts';
import { emailKinds } from './values/emails.ts';
import { ibanKinds } from './values/ibans.ts';
import { nationalIdKinds } from './values/national-ids.ts';
import { phoneKinds } from './values/phones.ts';
import { keyKinds } from './values/secrets/keys.ts';
import { passwordKinds } from './values/secrets/passwords.ts';
import { privateKeyKinds } from './values/secrets/private-keys.ts';

/** All kinds. To add some, write their generators into a file of `values` and add them here. */
export const kinds: readonly Kind[] = [
  ...cardKinds,
  ...emailKinds,
  ...phoneKinds,
  ...ibanKinds,
  ...nationalIdKinds,
  ...birthDateKinds,
  ...keyKinds,
  ...privateKeyKinds,
  ...passwordKinds,
];
