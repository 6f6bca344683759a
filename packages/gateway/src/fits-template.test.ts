import { expect, test } from 'vitest';
import { fitsTemplate } from './fits-template.ts';

test.each([
  ['file:///{path}', 'file:///etc/hosts', true],
  ['file:///{path}', 'http:///etc/hosts', false],
  ['shop://orders/{id}', 'shop://orders/7', true],
  ['shop://orders/{id}', 'shop://orders', false],
  ['shop://{kind}/{id}/end', 'shop://orders/7/end', true],
  ['shop://{kind}/{id}/end', 'shop://orders/7/ending', false],
  ['shop://{kind}/end', 'shop://end', false],
  ['shop://search{?q,page}', 'shop://search?q=tea&page=2', true],
  ['shop://plain', 'shop://plain', true],
  ['shop://plain', 'shop://plainer', false],
  ['{open', '{open', true],
])('%s and %s: %s', (template, uri, fits) => {
  expect(fitsTemplate(uri, template)).toBe(fits);
});

test('a template of a server takes no time of its own, whatever it is', () => {
  const template = `${'{a}'.repeat(10_000)}!`;
  expect(fitsTemplate(`note:${'a'.repeat(100_000)}`, template)).toBe(false);
});
