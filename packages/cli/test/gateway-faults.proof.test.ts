import { expect, test } from 'vitest';
import { gatewayFaults } from './gateway-faults.ts';

/** `npm run prove-gateway` tries all of them: a day has one of the malicious servers. */
const share = gatewayFaults.filter(({ title }, at) => {
  const [first] = title.split(':');
  return first !== 'a malicious server' || at % 6 === Number(process.env.SAMPLE_OF_DAY) % 6;
});

test.each(share)('behind the gateway as it is built: $title', { timeout: 120_000 }, async ({ run }) => {
  expect(await run()).toBe('held');
});
