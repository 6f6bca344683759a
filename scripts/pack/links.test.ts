import { describe, expect, test } from 'vitest';
import { publishedPage } from './links.ts';

const readme = { file: 'packages/runtime/README.md', packed: 'packages/runtime/README.md' };
const page = { file: 'docs/cli/init.md', packed: 'packages/hooks/docs/cli/init.md' };

describe('links of published pages', () => {
  test.each([
    ['[a](../../docs/tools.md)', '[a](../hooks/docs/tools.md)'],
    ['[a](../../docs/tools.md#files)', '[a](../hooks/docs/tools.md#files)'],
    ['[a](../hooks)', '[a](../hooks/README.md)'],
    ['[a](../../CONTRIBUTING.md#where)', 'a'],
    ['[a](#here) [b](https://example.com/x)', '[a](#here) [b](https://example.com/x)'],
    ['```ts\n[a](../../CONTRIBUTING.md)\n```', '```ts\n[a](../../CONTRIBUTING.md)\n```'],
  ])('of a package: %s', (text, wanted) => expect(publishedPage(text, readme)).toBe(wanted));

  test.each([
    ['[a](../trust.md)', '[a](../trust.md)'],
    ['[a](../../packages/cli)', '[a](../../../cli/README.md)'],
    ['[a](../../examples/own-runtime)', 'a'],
    ['![a](../../examples/a.png)', ''],
  ])('of a document: %s', (text, wanted) => expect(publishedPage(text, page)).toBe(wanted));

  test('of a document that stands without the packages', () => {
    const alone = { file: 'docs/cli/init.md', packed: 'docs/cli/init.md', isAlone: true };
    expect(publishedPage('[a](../trust.md#b) [c](../../packages/cli)', alone)).toBe('[a](../trust.md#b) c');
  });

  test('lead into the public repository where it is known', () => {
    const known = { ...readme, repository: 'https://example.com/us/hooks' };
    const url = 'https://example.com/us/hooks/blob/main/CONTRIBUTING.md#where';
    expect(publishedPage('[a](../../CONTRIBUTING.md#where)', known)).toBe(`[a](${url})`);
  });
});
