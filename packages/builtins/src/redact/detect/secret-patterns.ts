import type { Finding } from '../finding.ts';

/** A token that is known by its shape, and a text that every such token holds. */
interface Shape {
  readonly hints: readonly string[];
  readonly pattern: RegExp;
}

/**
 * Every pattern begins behind a boundary (a character that could not be part of the token), so that a long run of one
 * alphabet is looked at once and the time grows with the text's length only.
 */
const SHAPES: readonly Shape[] = [
  // AWS access key ids
  {
    hints: ['AKIA', 'ASIA', 'ABIA', 'ACCA', 'AGPA', 'AIDA', 'AROA', 'AIPA', 'ANPA', 'ANVA', 'A3T'],
    pattern:
      /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  },
  // Stripe and those who copied its format
  {
    hints: ['k_live_', 'k_test_', 'k_prod_'],
    pattern: /(?<![A-Za-z0-9])[srp]k_(?:live|test|prod)_[A-Za-z0-9]{10,250}/g,
  },
  { hints: ['whsec_'], pattern: /(?<![A-Za-z0-9])whsec_[A-Za-z0-9+/=]{16,200}/g },
  // Google: API keys, OAuth client secrets, access tokens, refresh tokens
  { hints: ['AIza'], pattern: /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35,60}/g },
  { hints: ['GOCSPX-'], pattern: /(?<![A-Za-z0-9_-])GOCSPX-[A-Za-z0-9_-]{20,40}/g },
  { hints: ['ya29.'], pattern: /(?<![A-Za-z0-9_.-])ya29\.[A-Za-z0-9_-]{20,2000}/g },
  { hints: ['1//0'], pattern: /(?<![A-Za-z0-9_/-])1\/\/0[A-Za-z0-9_-]{30,300}/g },
  // JSON web tokens, also encrypted and unsigned ones
  {
    hints: ['eyJ'],
    pattern:
      /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{4,20000}(?:\.[A-Za-z0-9_-]{0,20000}){0,3}/g,
  },
  // GitHub, GitLab, npm, PyPI, Docker
  {
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{20,255}/g,
  },
  { hints: ['github_pat_'], pattern: /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{22,255}/g },
  {
    hints: ['gl'],
    pattern: /(?<![A-Za-z0-9_-])gl(?:pat|dt|rt|soat|cbt|ptt|ft|agent|oas)-[A-Za-z0-9_-]{20,300}/g,
  },
  { hints: ['npm_'], pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,100}/g },
  { hints: ['pypi-'], pattern: /(?<![A-Za-z0-9_-])pypi-[A-Za-z0-9_-]{40,300}/g },
  { hints: ['dckr_'], pattern: /(?<![A-Za-z0-9_-])dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,100}/g },
  // Model providers
  { hints: ['sk-'], pattern: /(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{20,300}/g },
  {
    hints: ['gsk_', 'xai-', 'hf_', 'pplx-', 'csk-', 'nvapi-', 'tgp_v1_', 'r8_', 'fw_'],
    pattern: /(?<![A-Za-z0-9_-])(?:gsk_|xai-|hf_|pplx-|csk-|nvapi-|tgp_v1_|r8_|fw_)[A-Za-z0-9_-]{22,200}/g,
  },
  // Slack, Discord, Telegram, Twilio, SendGrid, Mailgun
  { hints: ['xox', 'xapp-'], pattern: /(?<![A-Za-z0-9])x(?:ox[abeoprs]|app)-[A-Za-z0-9-]{10,300}/g },
  {
    hints: ['hooks.slack.com'],
    pattern:
      /(?<![A-Za-z0-9])https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/_-]{10,200}/g,
  },
  {
    hints: ['/api/webhooks/'],
    pattern:
      /(?<![A-Za-z0-9])https:\/\/(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/\d{5,25}\/[A-Za-z0-9_-]{20,120}/g,
  },
  { hints: [':AA'], pattern: /(?<![A-Za-z0-9:])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g },
  { hints: ['SK'], pattern: /(?<![A-Za-z0-9])SK[a-f0-9]{32}(?![A-Za-z0-9])/g },
  { hints: ['SG.'], pattern: /(?<![A-Za-z0-9_.-])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,100}/g },
  { hints: ['key-'], pattern: /(?<![A-Za-z0-9-])key-[a-f0-9]{32}(?![A-Za-z0-9])/g },
  // Cloud platforms and services
  { hints: ['_v1_'], pattern: /(?<![A-Za-z0-9])do[oprt]_v1_[a-f0-9]{40,100}/g },
  { hints: ['shp'], pattern: /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss|ua)_[A-Za-z0-9]{20,64}/g },
  { hints: ['secret_', 'ntn_'], pattern: /(?<![A-Za-z0-9_-])(?:secret|ntn)_[A-Za-z0-9]{40,60}/g },
  {
    hints: [
      'lin_api_',
      'figd_',
      'glsa_',
      'glc_',
      'sntrys_',
      'sntryu_',
      'phx_',
      'ATATT3',
      'PMAK-',
      'dapi',
      'rubygems_',
    ],
    pattern:
      /(?<![A-Za-z0-9_-])(?:lin_api_|figd_|glsa_|glc_|sntry[su]_|phx_|ATATT3|PMAK-|rubygems_|dapi(?=[a-f0-9]{32}))[A-Za-z0-9_/+=-]{30,400}/g,
  },
  {
    hints: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
    pattern: /(?<![A-Za-z0-9_-])vc[piark]_[A-Za-z0-9]{20,60}/g,
  },
  { hints: ['hvs.', 'hvb.', 'hvr.'], pattern: /(?<![A-Za-z0-9_.-])hv[sbr]\.[A-Za-z0-9_-]{24,400}/g },
  // Signatures and keys inside URLs
  {
    hints: ['?', '&'],
    pattern:
      /(?<=[?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|access_token|api_?key|token|key)=)[A-Za-z0-9%._~+/=-]{16,2000}/gi,
  },
  // A user with a password in front of a host: connection strings of any kind
  {
    hints: ['://'],
    pattern:
      /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/[^\s:@/"'<>\ufffc]{0,150}:[^\s@"'<>\ufffc]{1,300}@[^\s"'<>,)\]\ufffc]{1,500}/g,
  },
];

const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

export function patternSecrets(text: string): Finding[] {
  const found = privateKeys(text);
  for (const { hints, pattern } of SHAPES) {
    if (!hints.some((hint) => text.includes(hint))) continue;
    for (const match of text.matchAll(pattern)) {
      found.push({ start: match.index, end: match.index + match[0].length, values: [match[0]] });
    }
  }
  return found;
}

/** PEM and PGP private keys; one whose end is missing goes on to the end of the text. */
function privateKeys(text: string): Finding[] {
  const found: Finding[] = [];
  if (!text.includes('PRIVATE KEY')) return found;
  let searched = 0;
  for (const begin of text.matchAll(KEY_BEGIN)) {
    if (begin.index < searched) continue;
    KEY_END.lastIndex = begin.index;
    const end = KEY_END.exec(text);
    searched = end === null ? text.length : end.index + end[0].length;
    found.push({ start: begin.index, end: searched, values: [text.slice(begin.index, searched)] });
  }
  return found;
}
