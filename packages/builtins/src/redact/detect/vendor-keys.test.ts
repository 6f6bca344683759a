import { describe, expect, test } from 'vitest';
import { isLinear } from '../sample-redaction.ts';
import { vendorKeys, vendorShapes } from './vendor-keys.ts';

const letters = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6';
const any = (length: number): string => letters.repeat(8).slice(0, length);
const low = (length: number): string => any(length).toLowerCase();
const up = (length: number): string => any(length).toUpperCase();
const hex = (length: number): string => '0123456789abcdef'.repeat(12).slice(0, length);
const uuid = `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
const age = 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(2).slice(0, 58);

/** What follows the beginning of a key, in the form that its issuer documents; put together here so that no scanner takes it for a leak. */
const rests: Record<string, readonly string[]> = {
  'AWS access key id': [up(16), up(17)],
  'AWS Bedrock': [any(128), 'YmVkcm9jay5hbWF6b25hd3MuY29t'],
  'Google API key': [any(35)],
  'Google OAuth client secret': [any(28)],
  'Google access token': [any(120)],
  'Google refresh token': [any(40)],
  'Google HMAC key': [up(55)],
  'Alibaba Cloud': [any(20)],
  'Tencent Cloud': [any(32)],
  'Baidu Cloud': [`${any(21)}/${hex(40)}`],
  'Volcano Engine': [any(44)],
  'Yandex Cloud': [any(36), `${any(60)}.${any(86)}`],
  Scaleway: [up(17)],
  DigitalOcean: [hex(64)],
  Heroku: [any(58)],
  Netlify: [any(36)],
  Vercel: [any(24)],
  'Fly.io': [any(120), any(43)],
  Render: [any(32)],
  Cloudflare: [any(48)],
  'Cloudflare origin CA': [`${hex(24)}-${hex(146)}`],
  Pulumi: [hex(40)],
  'HashiCorp Vault': [any(95)],
  Doppler: [`pt.${any(43)}`, `st.dev.${any(43)}`],
  '1Password service account': [`eyJ${any(300)}`],
  '1Password secret key': [`${up(6)}-${up(6)}-${up(5)}-${up(5)}-${up(5)}-${up(5)}`],
  age: [age],
  'age, post-quantum': [age],
  Tailscale: [`auth-${any(11)}CNTRL-${any(32)}`],
  OpenShift: [any(43)],
  Linear: [any(40)],
  Confluent: [any(60)],
  Infisical: [`${hex(24)}.${hex(32)}.${hex(32)}`],
  GitHub: [any(36)],
  'GitHub fine-grained': [`${any(22)}_${any(59)}`],
  GitLab: [any(20)],
  'GitLab runner registration': [any(20)],
  Bitbucket: [any(32)],
  Atlassian: [`xFfGF0${any(171)}=${up(8)}`],
  Trello: [hex(64)],
  npm: [any(36)],
  PyPI: [`AgEIcHlwaS5vcmc${any(120)}`],
  RubyGems: [hex(48)],
  NuGet: [low(43)],
  'crates.io': [any(32)],
  Clojars: [hex(60)],
  Docker: [`pat_${any(27)}`],
  Artifactory: [any(69), any(59)],
  Buildkite: [hex(40)],
  CircleCI: [`${any(22)}_${hex(40)}`],
  SonarQube: [hex(40)],
  Sourcegraph: [`${hex(16)}_${hex(40)}`],
  'Octopus Deploy': [up(26)],
  Postman: [`${hex(24)}-${hex(34)}`],
  Prefect: [any(36)],
  Infracost: [any(32)],
  Snyk: [`uat.${any(8)}.${any(60)}.${any(80)}`],
  'OpenAI, Anthropic and others': [`proj-${any(60)}`],
  Groq: [any(52)],
  xAI: [any(80)],
  'Hugging Face': [any(34)],
  Perplexity: [any(48)],
  Cerebras: [low(48)],
  NVIDIA: [any(64)],
  Together: [any(43)],
  'Replicate, Fireworks': [any(37)],
  ElevenLabs: [hex(48)],
  Pinecone: [`${any(6)}_${any(63)}`],
  LangSmith: [`pt_${hex(32)}_${hex(10)}`],
  Tavily: [`dev-${any(32)}`],
  Firecrawl: [hex(32)],
  Jina: [any(60)],
  Voyage: [any(43)],
  Apify: [any(36)],
  E2B: [hex(40)],
  '42': [hex(64)],
  Langfuse: [uuid],
  'Stripe and those who took its form': [any(24)],
  'Webhook secrets': [any(32)],
  Square: [any(60), any(43)],
  Braintree: [`production$${low(16)}$${hex(32)}`],
  Plaid: [`production-${uuid}`],
  Razorpay: [any(14)],
  Flutterwave: [`${hex(32)}-X`],
  Duffel: [any(43)],
  Shippo: [hex(40)],
  EasyPost: [any(54)],
  Shopify: [hex(32)],
  Slack: [`123456789012-1234567890123-${any(24)}`],
  Twilio: [hex(32)],
  SendGrid: [`${any(22)}.${any(43)}`],
  Mailgun: [hex(32)],
  Mandrill: [any(22)],
  Brevo: [`${hex(64)}-${any(16)}`],
  Resend: [`${any(8)}_${any(24)}`],
  Facebook: [any(170)],
  Twitter: [`${any(20)}%2F${any(60)}`],
  'Firebase messaging': [`${any(7)}:APA91b${any(134)}`],
  Supabase: [hex(40), any(31)],
  PlanetScale: [any(43)],
  Neon: [low(64)],
  'MongoDB Atlas': [any(40)],
  Databricks: [hex(32)],
  ClickHouse: [any(38)],
  Dropbox: [any(140)],
  Airtable: [`${any(14)}.${hex(64)}`],
  Notion: [any(43)],
  Figma: [any(40)],
  HubSpot: [`na1-${uuid}`],
  Typeform: [`${any(44)}_${any(14)}`],
  Contentful: [any(43)],
  Mapbox: [`eyJ${any(70)}.${any(22)}`],
  Adobe: [any(32)],
  LaunchDarkly: [uuid],
  ReadMe: [low(70)],
  'Frame.io': [any(64)],
  Grafana: [`${any(32)}_${hex(8)}`],
  Sentry: [hex(64)],
  'New Relic': [up(27)],
  Dynatrace: [`${up(24)}.${up(64)}`],
  PostHog: [any(43)],
  Honeycomb: [low(58)],
  Harness: [`${any(22)}.${any(24)}.${any(20)}`],
  'Okta and others': [any(40)],
  LinkedIn: [`${any(16)}.${any(8)}`],
};

const findTexts = (text: string): string[] =>
  vendorKeys(text).map(({ start, end }) => text.slice(start, end));

describe('keys that are known by how they begin', () => {
  const heads = vendorShapes.flatMap(([issuer, all]) =>
    all.split(' ').map((head) => [head, issuer] as const),
  );

  test.each(heads)('%s (%s)', (head, issuer) => {
    const keys = (rests[issuer] as readonly string[]).map((rest) => head + rest);
    expect(keys.some((key) => findTexts(`it is "${key}", thanks`).includes(key))).toBe(true);
  });

  test('every issuer of the list is in the table', () => {
    expect(new Set(vendorShapes.map(([issuer]) => issuer))).toEqual(new Set(Object.keys(rests)));
  });

  test.each(vendorShapes)('%s %s ends: no part repeats without a limit', (_issuer, _heads, rest) => {
    const outsideClasses = rest.replaceAll(/\[[^\]]*\]/g, '').replaceAll(/\\./g, '');
    expect(outsideClasses).not.toMatch(/[*+]|\{\d+,\}/);
  });

  test.each([
    `task-${any(20)} and desk-${hex(32)}`,
    `pk_live_${any(24)} is made to be published, and so is phc_${any(43)}`,
    'the class md-elevation-z2-on-hover-1 of a page',
    'fc-event-title-container, re_render_all_components_now',
    `sha512-${any(86)}==`,
    `commit ${hex(40)}, id ${uuid}`,
    'sk-circle-fade',
    'access-control-allow-origin',
  ])('%s holds none', (text) => {
    expect(vendorKeys(text)).toEqual([]);
  });

  test.each(['sk-', 'SG.', 'hvs.', 'dp.st.a.', 'AAAAAAA:', 'ABSK+', 're_aaaaaaaa_', 'xoxe.xoxb-'])(
    'takes linear time on %s repeated',
    (head) => {
      expect(isLinear(vendorKeys, head)).toBe(true);
    },
  );
});
