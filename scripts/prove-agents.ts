// Proves that hooks hold in the real agents that are open source: installs each at a pinned version, runs it without a person against a
// scripted model on loopback, and writes what was seen to docs/agents/observed.json. `npm run prove-agents -- [AGENT…]` does it; it takes minutes and
// fetches half a gigabyte, so that CI does not. CASE=context,hang tries these cases alone, and keeps what was seen of the others.
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { agentSdk, proveAgentSdk } from './prove-agents/agent-sdk.ts';
import { type ProofCase, proofCases } from './prove-agents/cases.ts';
import { startModelServer } from './prove-agents/model-server.ts';
import { type AgentProgram, programs, type Setting } from './prove-agents/programs.ts';

const root = join(import.meta.dirname, '..');
const cli = join(root, 'packages/cli/dist/main.mjs');
/** The programs are kept between runs. */
const lab = process.env.AGENTS_LAB ?? join(tmpdir(), 'spec-hooks-agents');
const file = join(root, 'docs/agents/observed.json');
/** A hook that hangs is ended after 27 seconds, and an agent may ask it more than once. */
const LIMIT = 150_000;
/** By then, an agent has come to its tool and hangs there. */
const HANGING = 100_000;

interface Observed {
  readonly version: string;
  readonly date: string;
  readonly cases: Readonly<Record<string, string>>;
}

/** @param chosen names of agents; none means all */
async function proveAll(chosen: readonly string[], only: readonly string[] | undefined): Promise<void> {
  for (const program of programs.filter(({ agent }) => chosen.length === 0 || chosen.includes(agent))) {
    const folder = installProgram(program);
    const cases: Record<string, string> = {};
    const isThere = ({ otherwise }: ProofCase): boolean => otherwise?.[program.agent] !== 'nothing';
    for (const one of proofCases
      .filter(({ id }) => only === undefined || only.includes(id))
      .filter(isThere)) {
      cases[one.id] = await prove(program, folder, one);
      console.log(`${program.agent} ${one.id}: ${cases[one.id]}`);
      if (one.id === 'allow' && cases.allow !== 'held') break;
    }
    writeObserved(program, cases);
    noteMisses(cases);
  }
  if (chosen.length === 0 || chosen.includes('claude-agent-sdk')) {
    const cases = proveAgentSdk(installSdk());
    for (const [id, seen] of Object.entries(cases)) console.log(`claude-agent-sdk ${id}: ${seen}`);
    noteMisses(cases);
  }
}

function noteMisses(cases: Observed['cases']): void {
  if (Object.values(cases).some((seen) => seen !== 'held' && seen !== 'refused')) process.exitCode = 1;
}

function installSdk(): string {
  const folder = join(lab, `claude-agent-sdk-${agentSdk.version}`);
  if (existsSync(join(folder, 'node_modules'))) return folder;
  mkdirSync(folder, { recursive: true });
  const wanted = `${agentSdk.packageName}@${agentSdk.version}`;
  runNpm(folder, ['install', '--omit=optional', '--no-audit', '--no-fund', '--prefix', '.', wanted]);
  return folder;
}

function installProgram({ agent, packageName, version, node, unpackedBeside }: AgentProgram): string {
  const folder = join(lab, `${agent}-${version}`);
  if (existsSync(join(folder, 'node_modules'))) return folder;
  mkdirSync(folder, { recursive: true });
  const runs = node === undefined ? [] : [`node@${node}`];
  const itself = `${packageName}@${version}`;
  if (unpackedBeside !== undefined) {
    runNpm(folder, ['pack', itself]);
    const archive = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
    spawnSync('tar', ['xzf', archive], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const wanted = [...(unpackedBeside ?? [itself]), ...runs];
  runNpm(folder, ['install', '--no-audit', '--no-fund', '--prefix', '.', ...wanted]);
  return folder;
}

function runNpm(folder: string, args: readonly string[]): void {
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} has failed.`);
}

/** Runs one case in folders of its own. Gives `held`, `refused` where the hook is refused as documented, or what was seen instead. */
async function prove(program: AgentProgram, folder: string, given: ProofCase): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), 'prove-agents-'));
  const server = await startModelServer();
  const setting: Setting = { home: join(place, 'home'), project: join(place, 'project'), port: server.port };
  server.commands = ['marker', ...(given.isParallel === true ? ['rewritten'] : [])].map(
    (file) => `echo ran > ${join(place, file)}`,
  );
  server.delegates = given.isDelegated === true;
  try {
    const refusal = prepare(program, setting, given);
    const otherwise = given.otherwise?.[program.agent];
    if (otherwise === 'refused') return refusal === undefined ? 'the hook was not refused' : 'refused';
    if (refusal !== undefined) return `could not be installed: ${refusal}`;
    const expected = { ...given, ...(typeof otherwise === 'object' ? otherwise : {}) };
    const limit = expected.agent === 'hangs' ? HANGING : LIMIT;
    const ended = await runProgram(program, folder, { ...setting, limit });
    return compare(expected, { place, ended, requests: server.requests });
  } finally {
    await server.close();
    rmSync(place, { recursive: true, force: true });
  }
}

/** Writes the project, trusts and installs its hooks. Gives why they were refused. */
function prepare(program: AgentProgram, setting: Setting, given: ProofCase): string | undefined {
  const { home, project } = setting;
  const { module, sabotage } = given;
  for (const [path, text] of Object.entries(program.files(setting))) write(join(home, path), text);
  write(join(project, 'hooks.config.mjs'), `export default { policies: 'hooks' };\n`);
  const setModule = (text: string): void => {
    write(join(project, 'hooks/guard.mjs'), text);
    if (sabotage !== 'leave untrusted') runCli(['trust', 'hooks.config.mjs', '--yes'], setting);
  };
  // A module that cannot be loaded is not installed either: it breaks afterwards.
  setModule(sabotage === 'break the module' ? workingModule : module);
  const isRefused = given.otherwise?.[program.agent] === 'refused';
  const flags = isRefused ? [] : (given.accepted ?? []).flatMap((id) => ['--allow-partial', id]);
  const { status, stderr } = runCli(['install', program.agent, '--yes', ...flags], setting);
  if (status !== 0 && sabotage !== 'leave untrusted') return stderr;
  if (given.isWarm === true) startDaemon(program.agent, setting);
  if (sabotage === 'break the module') setModule(module);
  if (sabotage === 'change the module') appendFileSync(join(project, 'hooks/guard.mjs'), '// changed\n');
  if (sabotage === 'take the trust back') runCli(['trust', 'hooks.config.mjs', '--remove', '--yes'], setting);
  if (sabotage === 'remove the launcher') rmSync(join(project, '.spec-hooks/hook'));
  if (sabotage === 'remove the program') forgetProgram(join(project, '.spec-hooks/local'));
  return undefined;
}

/** Has an event answered, and waits until the daemon that it starts listens. The daemon ends when the project is removed. */
function startDaemon(agent: string, { home, project }: Setting): void {
  const env = { PATH: process.env.PATH, HOME: home };
  const socket = /^SOCKET='(.*)'$/m.exec(readFileSync(join(project, '.spec-hooks/local'), 'utf8'))?.[1] ?? '';
  spawnSync(join(project, '.spec-hooks/hook'), [agent, 'SessionStart'], { cwd: project, env, input: '{}' });
  const until = Date.now() + 20_000;
  while (!existsSync(socket) && Date.now() < until) spawnSync('sleep', ['0.1']);
}

function forgetProgram(local: string): void {
  write(local, readFileSync(local, 'utf8').replace(/^CLI=.*$/m, "CLI='/nowhere/main.mjs'"));
}

const workingModule = `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_tool_call', id: 'guard', execute: async () => null });
`;

function runCli(
  args: readonly string[],
  { home, project }: Setting,
): { status: number | null; stderr: string } {
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: '1' };
  return spawnSync(process.execPath, [cli, ...args], { cwd: project, env, encoding: 'utf8' });
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** In a process group of its own, which is killed at the limit. */
function runProgram(
  program: AgentProgram,
  folder: string,
  setting: Setting & { readonly limit: number },
): Promise<Ended> {
  const [command = '', ...args] = program.start(folder, setting);
  const env = { PATH: process.env.PATH, HOME: setting.home, TERM: 'dumb', ...program.env(setting) };
  const child = spawn(command, args, {
    ...{ cwd: setting.project, env, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), setting.limit);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}

interface Evidence {
  readonly place: string;
  readonly ended: Ended;
  readonly requests: readonly string[];
}

function compare(
  { command, told, orPromptRefused, agent }: ProofCase,
  { place, ended, requests }: Evidence,
): string {
  const ran = existsSync(join(place, 'marker'));
  const rewritten = existsSync(join(place, 'rewritten'));
  const seen = rewritten ? 'runs rewritten' : ran ? 'runs' : 'does not run';
  const tail = ended.output.slice(-600);
  if (orPromptRefused === true && requests.length === 0 && !ran && !rewritten) return 'held';
  if (agent !== undefined && requests.length > 0 && !ran && !rewritten)
    return (ended.code === null) === (agent === 'hangs')
      ? 'held'
      : `the agent ended with code ${ended.code}: ${tail}`;
  if (requests.length < 2) return `the agent asked its model ${requests.length} times: ${tail}`;
  if (ran && rewritten) return 'both commands ran';
  if (seen !== command) return `the command ${seen}: ${tail}`;
  if (told !== undefined && !requests.some((text) => text.includes(told)))
    return `the model was not told "${told}"`;
  if (ended.code === null) return `it did not end: ${tail}`;
  return 'held';
}

function writeObserved({ agent, version }: AgentProgram, cases: Observed['cases']): void {
  const all: Record<string, Observed> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const before = all[agent];
  const kept = before?.version === version ? before.cases : {};
  const date = new Date().toISOString().slice(0, 10);
  write(
    file,
    `${JSON.stringify({ ...all, [agent]: { version, date, cases: { ...kept, ...cases } } }, undefined, 2)}\n`,
  );
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

await proveAll(process.argv.slice(2), process.env.CASE?.split(','));
