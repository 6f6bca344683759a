// Tries each packed bridge beside the oldest and the newest version of its framework that its package.json promises, on the oldest Node that it promises:
// its example, and all cases that its table claims. `npm run test:frameworks` does it, `npm run test:frameworks -- mastra` for one of them; it takes
// minutes, so that CI does not.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Archive, packPackages } from './pack/pack-packages.ts';
import { bundleForFramework } from './packed/framework-programs.ts';
import { Project, root } from './packed/project.ts';
import { buildPackages } from './setup/build.mjs';

interface Tried {
  /** The folder in `packages`. */
  readonly bridge: string;
  /** The export of its `test/subject.ts` that gives the subject. */
  readonly subject: string;
  /** The oldest that its package.json promises. */
  readonly node: string;
  /** What npm is told to install. */
  readonly framework: readonly string[];
}

const aiSdk = (version: string, { major, node }: { major: 6 | 7; node: string }): Tried => ({
  ...{ bridge: 'ai-sdk', node, framework: [`ai@${version}`] },
  subject: `installedAiSdk(${major})`,
});
const langchain = (versions: readonly string[]): Tried => ({
  ...{ bridge: 'langchain', node: '20.19.0', subject: 'langchainSubject', framework: versions },
});
/** Its example stores in a file. */
const openaiAgents = (version: string): Tried => ({
  ...{
    bridge: 'openai-agents',
    node: '22.13.0',
    framework: [`@openai/agents@${version}`, 'better-sqlite3@12', 'drizzle-orm@0.45'],
  },
  subject: `openaiAgentsSubject('run')`,
});
const mastra = (version: string): Tried => ({
  ...{ bridge: 'mastra', node: '22.22.0', framework: [`@mastra/core@${version}`] },
  subject: `mastraSubject('generate')`,
});

/** For each framework the oldest and the newest; where they are one, there is one. */
const tried: readonly Tried[] = [
  aiSdk('6.0.260', { major: 6, node: '20.19.0' }),
  aiSdk('6', { major: 6, node: '20.19.0' }),
  aiSdk('7.0.0', { major: 7, node: '22.13.0' }),
  aiSdk('7', { major: 7, node: '22.13.0' }),
  langchain(['langchain@1.5.14', '@langchain/core@1.3.4', '@langchain/langgraph@1.7.0']),
  langchain(['langchain@1', '@langchain/core@1', '@langchain/langgraph@1']),
  openaiAgents('0.20.0'),
  openaiAgents('~0.20.0'),
  mastra('1.71.0'),
  mastra('1'),
];

const folder = mkdtempSync(join(tmpdir(), 'frameworks-'));
const wanted = process.argv.slice(2);
const homes = new Map<string, Promise<NodeJS.ProcessEnv>>();

try {
  const failure = buildPackages('./packages/*');
  if (failure !== undefined) throw new Error(failure);
  const archives = packPackages(join(folder, 'archives'));
  for (const [at, one] of tried.entries())
    if (wanted.length === 0 || wanted.includes(one.bridge)) await tryFramework(one, at, archives).catch(tell);
} catch (error) {
  tell(error);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** One framework that fails keeps no other from being tried. */
function tell(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function tryFramework(one: Tried, at: number, archives: readonly Archive[]): Promise<void> {
  const environment = await installNode(one.node);
  const project = new Project(join(folder, `project-${at}`), environment);
  project.write('package.json', { private: true, type: 'module' });
  const names = ['hooks', 'builtins', 'runtime', 'conformance', one.bridge].map((name) => `@spec/${name}`);
  const files = archives.filter(({ name }) => names.includes(name)).map(({ file }) => file);
  await project.install(...files, ...one.framework, 'zod@4');
  const programs = await bundleForFramework(one);
  project.write('example.mjs', programs.example).write('judge.mjs', programs.judge);
  const said = await project.runWell('node', 'example.mjs');
  const shown = readFileSync(join(root, `examples/in-${one.bridge}/output.txt`), 'utf8');
  if (said !== shown) throw new Error(`examples/in-${one.bridge} prints other things:\n${said}`);
  const found = one.framework.map((name) => name.slice(0, name.lastIndexOf('@')));
  const versions = await Promise.all(found.map((name) => readVersion(project, name)));
  const about = `${versions.join(', ')} on Node ${one.node}`;
  const { status, output } = await project.run('node', 'judge.mjs');
  if (status !== 0) throw new Error(`${about}: ${output}`);
  console.log(`${about}: the example, and ${output.trim()}`);
}

/** @returns an environment with this Node first, and its headers for what is compiled */
function installNode(version: string): Promise<NodeJS.ProcessEnv> {
  const home = homes.get(version) ?? install();
  homes.set(version, home);
  return home;

  async function install(): Promise<NodeJS.ProcessEnv> {
    const name = `node-${platform() === 'win32' ? 'win' : platform()}-${arch()}`;
    const project = new Project(join(folder, `node-${version}`)).write('package.json', { private: true });
    await project.install(`${name}@${version}`);
    const home = join(project.folder, 'node_modules', name);
    return { PATH: join(home, 'bin') + delimiter + process.env.PATH, npm_config_nodedir: home };
  }
}

async function readVersion(project: Project, name: string): Promise<string> {
  const file = join(project.folder, 'node_modules', name, 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
  return `${name} ${version}`;
}
