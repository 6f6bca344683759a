import { expect, test } from 'vitest';
import { decodeText, encodeText } from './address.ts';

test.each(['order-1042', '.', '..', '...', '~', '~002e', '~x', 'half \ud800', '\udc00', 'ä/b?c#d %2e', ''])(
  'an address leads back to %j',
  (text) => {
    const path = `/t/${encodeURIComponent(encodeText(text))}/m`;
    const [, , part = ''] = new URL(path, 'http://127.0.0.1').pathname.split('/');
    expect(decodeText(decodeURIComponent(part))).toBe(text);
  },
);
