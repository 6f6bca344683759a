import { lstatSync, readFileSync } from 'node:fs';
import { type AgentProfile, describeBroken } from '@spec/agents';
import { DefinitionError } from '@spec/hooks';
import { type HookScope, ownFolder } from '../agent-state/places.ts';
import type { ConfigurationFile } from './change-file.ts';

/**
 * The file that an agent loads into its process. In a project it says nothing of the machine, and can be shared. It must not throw: an agent
 * that cannot load it would go on without a word.
 */
export function writePlugin({ name, title }: AgentProfile, scope: HookScope): string {
  const broken = describeBroken(`The hooks could not be loaded into ${title}: spec-hooks is gone.`);
  return `${head(title)}
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

${writePlace(scope)}
const reason = ${JSON.stringify(broken)};

/** What spec-hooks has noted on this machine. */
function readNote(name) {
  try {
    const text = readFileSync(join(settings, 'local'), 'utf8');
    const [, word = ''] = new RegExp(\`^\${name}='(.*)'$\`, 'm').exec(text) ?? [];
    return word.replaceAll(\`'\\\\''\`, "'");
  } catch {
    return '';
  }
}

function findProgram() {
  const noted = join(dirname(readNote('CLI')), 'in-agent.mjs');
  if (existsSync(noted)) return noted;
  for (let folder = settings; folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, 'node_modules/@spec/cli/dist/in-agent.mjs');
    if (existsSync(found)) return found;
  }
  return noted;
}

function load() {
  return import(pathToFileURL(findProgram()).href);
}

/** Whether hooks guarded a moment when they last ran; where that is not known, all that can be guarded. */
function isGuarded(moment) {
  const isKnown = readNote('KNOWN').split(' ').includes('${name}');
  return !isKnown || readNote('GUARDS').split(' ').includes(\`${name}:\${moment}\`);
}

${ends[name] ?? ''}`;
}

function head(title: string): string {
  return `// Runs the hooks in ${title}. ${MADE} Change nothing here.`;
}

const MADE = 'Made by "spec-hooks install".';

function writePlace(scope: HookScope): string {
  if (scope === 'user')
    return `const place = { scope: 'user', root: ${JSON.stringify(ownFolder())} };\nconst settings = place.root;`;
  return `const place = { scope: 'project', root: join(dirname(fileURLToPath(import.meta.url)), '../..') };
const settings = join(place.root, '.spec-hooks');`;
}

/** How each agent is answered where the hooks cannot be loaded. */
const ends: Readonly<Record<string, string>> = {
  opencode: `export const server = async (input) => {
  try {
    const { openInOpenCode } = await load();
    return await openInOpenCode(place, input);
  } catch {
    const deny = (moment) => async () => {
      if (isGuarded(moment)) throw new Error(reason);
    };
    return { 'chat.message': deny('prompt'), 'tool.execute.before': deny('tool_call') };
  }
};
`,
  pi: `export default async function (pi) {
  try {
    const { openInPi } = await load();
    await openInPi(place, pi);
  } catch {
    pi.on('tool_call', async () => (isGuarded('tool_call') ? { block: true, reason } : undefined));
    pi.on('input', async (_, { hasUI, ui }) => {
      if (!isGuarded('prompt')) return undefined;
      if (hasUI) ui.notify(reason, 'error');
      else console.error(reason);
      return { action: 'handled' };
    });
  }
}
`,
};

/** Whether a text is the file of an agent, as we made it. */
export function isPlugin(text: string): boolean {
  return text.startsWith('// Runs the hooks in ') && text.includes(MADE);
}

/**
 * Reads the file that an agent loads.
 *
 * @throws {DefinitionError} `bad_option` for what must not be changed: a link, what is no file, what somebody else has made
 */
export function readPlugin(path: string): ConfigurationFile {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return { path, text: undefined };
  const text = stat.isFile() ? readFileSync(path, 'utf8') : '';
  if (isPlugin(text)) return { path, text };
  throw new DefinitionError(
    'bad_option',
    `${path} is not changed: spec-hooks has not made it. Move it, and install again.`,
  );
}
