import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintRuleCreator, SecretLintSourceCode } from '@secretlint/types';
import { RunError } from '@spec/hooks';
import type { Finding } from './finding.ts';

/** Comments such as `secretlint-disable` switch off its rules. The writer of a message must not be able to do so. */
const FILTER = '@secretlint/secretlint-rule-filter-comments';

const scanners: readonly SecretLintRuleCreator[] = (rules as readonly SecretLintRuleCreator[]).filter(
  ({ meta }) => meta.id !== FILTER,
);

/** The rules that run, by id. */
export const scannerIds: readonly string[] = scanners.map(({ meta }) => meta.id);

/** Every text in which a rule can find something contains one of these. */
const HINTS = [
  ...[
    'SECRET',
    'secret',
    'Secret',
    'PRIVATE KEY',
    '://',
    '_authToken=',
    'npm_',
    'xoxb-',
    'xoxp-',
    'xapp-',
    'xoxa-',
    'xoxo-',
    'xoxr-',
  ],
  ...[
    'SG.',
    'shppa_',
    'shpca_',
    'shpat_',
    'shpss_',
    'ghp_',
    'gho_',
    'ghu_',
    'ghs_',
    'ghr_',
    'github_pat_',
    'glpat-',
    'glc_',
    'glsa_',
  ],
  ...[
    'sk-',
    'gsk_',
    'hf_',
    'lin_api_',
    'ntn_',
    'ops_',
    'hvs.',
    'hvb.',
    'hvr.',
    'vcp_',
    'vci_',
    'vca_',
    'vcr_',
    'vck_',
    'dapi',
    'dckr_',
    'figd_',
  ],
];

/**
 * The findings of secretlint's recommended rules. They run here one by one: the package's own runner keeps a performance entry
 * for each rule and text as long as the process lives, and gets slower with every entry.
 */
export function secretlintSecrets(text: string): Finding[] {
  if (!HINTS.some((hint) => text.includes(hint))) return [];
  const found: Finding[] = [];
  const source = {
    content: text,
    filePath: 'text.txt',
    ext: '.txt',
    contentType: 'text',
  } as SecretLintSourceCode;
  for (const rule of scanners) {
    const pending = rule.create(makeContext(text, found), {}).file?.(source);
    if (pending !== undefined)
      throw new RunError(
        'hook_failed',
        `The secretlint rule ${rule.meta.id} did not finish at once; a text must not pass unseen.`,
      );
  }
  return found;
}

function makeContext(text: string, found: Finding[]): SecretLintRuleContext {
  return {
    sharedOptions: {},
    // The data of a message contains the secret itself. It only corrects the range and goes nowhere else.
    createTranslator: () => (messageId, data) => ({
      message: '',
      messageId: String(messageId),
      data: data ?? {},
    }),
    report: ({ range, message }) => found.push(makeFinding(text, range, message.data)),
    ignore: () => undefined,
  };
}

/** Some rules report a range with the secret's length that begins at the name before it. */
function makeFinding(text: string, [from, to]: readonly [number, number], data: unknown): Finding {
  const length = to - from;
  const secret = Object.values(data as Record<string, unknown>).find(
    (value): value is string => typeof value === 'string' && value.length === length,
  );
  const found = secret === undefined ? -1 : text.indexOf(secret, from);
  const start = found === -1 ? from : found;
  return { start, end: start + length, values: [text.slice(start, start + length)] };
}
