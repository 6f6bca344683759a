import { performance } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { scannerIds, secretlintSecrets } from './secretlint.ts';

const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
const texts = (text: string): string[] =>
  secretlintSecrets(text).map(({ start, end }) => text.slice(start, end));

describe('the rules of secretlint', () => {
  test('find a token where it stands', () => {
    expect(texts(`use ${token}, please`)).toEqual([token]);
  });

  test('cannot be switched off by what a message says', () => {
    expect(texts(`secretlint-disable\n${token}`)).toEqual([token]);
    expect(texts(`// secretlint-disable-next-line\n${token}`)).toEqual([token]);
  });

  test('report the secret, not the name before it', () => {
    const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEX';
    expect(texts(`AWS_SECRET_ACCESS_KEY=${secret} and more`)).toEqual([secret]);
  });

  test('leave no performance entries behind', () => {
    const before = performance.getEntries().length;
    for (let count = 0; count < 50; count++) secretlintSecrets(token);
    expect(performance.getEntries().length).toBe(before);
  });

  // The hints must cover every rule: when this list changes, look at the new rule's pattern and add its hint.
  test('are these', () => {
    expect(scannerIds.map((id) => id.replace('@secretlint/secretlint-rule-', ''))).toEqual([
      ...[
        'aws',
        'gcp',
        'privatekey',
        'npm',
        'basicauth',
        'slack',
        'sendgrid',
        'shopify',
        'github',
        'gitlab',
        'grafana',
        'openai',
      ],
      ...[
        'anthropic',
        'groq',
        'huggingface',
        'linear',
        'notion',
        '1password',
        'database-connection-string',
        'hashicorp-vault',
      ],
      ...['vercel', 'databricks', 'docker', 'figma'],
    ]);
  });
});
