import type { Finding } from './finding.ts';
import { privateKeys } from './private-key.ts';
import { vendorKeys } from './vendor-keys.ts';

/** A secret with a known shape, and a text that every such secret contains. */
interface Shape {
  readonly hints: readonly string[];
  readonly pattern: RegExp;
}

/**
 * Every pattern begins after a character that could not be part of the token. So a long run of one alphabet
 * is searched once, and the time only grows with the text's length.
 */
const SHAPES: readonly Shape[] = [
  // JSON web tokens, including encrypted and unsigned ones
  {
    hints: ['eyJ'],
    pattern:
      /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{4,20000}(?:\.[A-Za-z0-9_-]{0,20000}){0,3}/g,
  },
  // Keys with the issuer's mark in the middle or at the end: Azure, Terraform, New Relic, Mailchimp, Mailgun, MaxMind
  {
    hints: ['Q~'],
    pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])/g,
  },
  {
    hints: ['JQQJ99', 'AZDO', 'APIM', 'ACDb', '+A', 'AIoT', 'AzFu', 'AzSe', 'AzCa'],
    pattern:
      /(?<![A-Za-z0-9+/])(?:[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}|[A-Za-z0-9+/]{32,76}(?:APIM|ACDb|\+(?:ASt|ASb|AEh|ARm|ABa|AMC|ACR)|AIoT|AzFu|AzSe|AzCa)[A-Za-z0-9+/]{5,6}={0,2})(?![A-Za-z0-9+/=])/g,
  },
  { hints: ['.atlasv1.'], pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}/g },
  { hints: ['NRAL'], pattern: /(?<![A-Za-z0-9])[a-f0-9]{36}NRAL(?![A-Za-z0-9])/g },
  { hints: ['-us'], pattern: /(?<![A-Za-z0-9])[a-f0-9]{32}-us\d{1,2}(?!\d)/g },
  { hints: ['-'], pattern: /(?<![A-Za-z0-9-])[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?![A-Za-z0-9-])/g },
  { hints: ['_mmk'], pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9])/g },
  // Bots of Telegram and Discord; tokens of Asana and of Facebook's apps
  { hints: [':AA'], pattern: /(?<![A-Za-z0-9:])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g },
  {
    hints: ['.'],
    pattern:
      /(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])/g,
  },
  {
    hints: ['1/', '2/'],
    pattern: /(?<![A-Za-z0-9/])[12]\/\d{10,20}(?:\/\d{10,20})?:[a-f0-9]{32}(?![A-Za-z0-9])/g,
  },
  { hints: ['|'], pattern: /(?<![A-Za-z0-9])\d{15,16}\|[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])/g },
  // Webhooks: whoever knows the address may write
  {
    hints: ['hooks.slack.com'],
    pattern:
      /(?<![A-Za-z0-9])(?:https?:\/\/)?hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/_-]{10,200}/g,
  },
  {
    hints: ['/api/webhooks/'],
    pattern:
      /(?<![A-Za-z0-9])https:\/\/(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/\d{5,25}\/[A-Za-z0-9_-]{20,120}/g,
  },
  {
    hints: ['.webhook.office.com'],
    pattern:
      /(?<![A-Za-z0-9])https:\/\/[a-z0-9-]{1,63}\.webhook\.office\.com\/webhookb2\/[a-f0-9-]{36}@[a-f0-9-]{36}\/IncomingWebhook\/[a-f0-9]{32}\/[a-f0-9-]{36}(?:\/[A-Za-z0-9_-]{1,100})?/gi,
  },
  // Signatures and keys in URLs
  {
    hints: ['?', '&'],
    pattern:
      /(?<=[?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|access_token|api_?key|token|key)=)[A-Za-z0-9%._~+/=-]{16,2000}/gi,
  },
  // A user and password before a host: connection strings of any kind, including MySQL's for Go and Oracle's
  {
    hints: ['://'],
    pattern:
      /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/[^\s:@/"'<>\ufffc]{0,150}:[^\s@"'<>\ufffc]{1,300}@[^\s"'<>,)\]\ufffc]{1,500}/g,
  },
  {
    hints: ['@tcp(', '@unix('],
    pattern: /(?<![^\s"'`=])[^\s:@/"'`=\ufffc]{1,60}:[^\s"'`\ufffc]{1,200}?@(?:tcp|unix)\([^\s)"']{1,200}\)/g,
  },
  {
    hints: ['jdbc:oracle:'],
    pattern: /jdbc:oracle:[a-z]{2,10}:[^\s/@"']{1,60}\/[^\s@"'\ufffc]{1,200}@[^\s"']{1,300}/g,
  },
];

/** `user:pass@host` in examples. */
const EXAMPLE_URL =
  /^[^\s:]*:\/\/[^:@]*:(?:pass(?:word|wd)?|pwd|secret|your[-_]?password|redacted|hidden|x{3,}|\*+|<[^@]*>|\$\{?\w+\}?|\{\{?[\w.]+\}?\}|\[[\w -]*\]|%[sv])@/i;

/** Whether an address has a placeholder for its password: a word such as `password`, or a template variable. */
export function isExampleUrl(text: string): boolean {
  return EXAMPLE_URL.test(text);
}

/** Keys, tokens and connection strings with a known shape, and private keys. */
export function patternSecrets(text: string): Finding[] {
  const found = [...privateKeys(text), ...vendorKeys(text)];
  for (const { hints, pattern } of SHAPES) {
    if (!hints.some((hint) => text.includes(hint))) continue;
    for (const match of text.matchAll(pattern)) {
      if (isExampleUrl(match[0])) continue;
      found.push({ start: match.index, end: match.index + match[0].length, values: [match[0]] });
    }
  }
  return found;
}
