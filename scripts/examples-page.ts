import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const examples = join(import.meta.dirname, '../examples');

/** The page of all examples: what each one shows, as its package says. */
export function examplesPage(): string {
  const rows = readdirSync(examples, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => `| [${name}](${name}/src/main.ts) | ${readDescription(name)} |`)
    .sort();
  return `# Examples

Small programs, each of which CI runs. Generated from their \`package.json\` by \`scripts/generate-docs.ts\`.

In a clone that \`npm start\` has set up:

\`\`\`sh
cd examples/redact-secrets
npm start
\`\`\`

None needs a key or the network: a scripted model answers. What a program prints is in its \`output.txt\`.

| example | |
|---|---|
${rows.join('\n')}
`;
}

function readDescription(name: string): string {
  const { description } = JSON.parse(readFileSync(join(examples, name, 'package.json'), 'utf8')) as {
    readonly description: string;
  };
  return description;
}
