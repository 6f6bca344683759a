import { parseArgs } from 'node:util';
import { agentDaemonIdle, agentDaemonMemory } from './agents/daemon.ts';
import { agentEvent } from './agents/event.ts';
import { type Bench, isMissed, runBench } from './bench.ts';
import { bridgeBenches } from './bridges/benches.ts';
import { chainOfFour, emptyChain } from './chain.ts';
import { cliStart } from './cli-start.ts';
import { clusterAtOnce } from './cluster/at-once.ts';
import { clusterBytes } from './cluster/bytes.ts';
import { clusterEngine } from './cluster/engine.ts';
import { clusterLarge } from './cluster/large.ts';
import { clusterMemory } from './cluster/memory.ts';
import { clusterStatements } from './cluster/statements.ts';
import { clusterWorkers } from './cluster/workers.ts';
import { commandsAtOnce, commandsInTurn } from './commands.ts';
import { commandsNoMatch } from './commands-no-match.ts';
import { gatewayLatency, gatewayThroughput } from './gateway.ts';
import { idleThreadHandles, idleThreads } from './idle-threads.ts';
import { inProcess } from './in-process.ts';
import { injectFull, injectNormal } from './inject.ts';
import { inspector } from './inspector/bench.ts';
import { ledgerNewestHour } from './ledger-hour.ts';
import { longFile } from './long-file.ts';
import { longThread, longThreadMemory } from './long-thread.ts';
import { redaction } from './redact/bench.ts';
import { redactLag, redactTime } from './redact-time.ts';
import { renderJson, renderMarkdown, renderTables } from './report.ts';
import { ruleEvaluation, ruleScript } from './rules.ts';
import { turnBytes } from './turn/bytes.ts';
import { findPeers } from './turn/peers.ts';
import { turnTimer } from './turn/timer.ts';
import { threadsAtOnce, turnBenches, turnLength, turnStore } from './turn/turns.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    markdown: { type: 'boolean' },
    check: { type: 'boolean' },
    peers: { type: 'boolean' },
  },
});

const isChosen = ({ name, isNamedOnly = false }: Bench): boolean =>
  positionals.length === 0 ? !isNamedOnly : positionals.includes(name);

/** Only peers of what is measured are installed: those of turns are 550 MB. */
function listTurnBenches(): readonly Bench[] {
  const isMeasured = turnBenches(findPeers(false)).some(isChosen);
  return turnBenches(findPeers(isMeasured && values.peers === true));
}

/** All benches. To add one, add it here. */
const benches: readonly Bench[] = [
  emptyChain,
  chainOfFour,
  commandsNoMatch,
  commandsInTurn,
  commandsAtOnce,
  injectFull,
  injectNormal,
  longThread,
  longThreadMemory,
  ruleEvaluation,
  ruleScript,
  redactTime,
  redactLag,
  cliStart,
  inProcess,
  agentEvent,
  agentDaemonMemory,
  agentDaemonIdle,
  turnLength,
  turnStore,
  threadsAtOnce,
  turnTimer,
  turnBytes,
  ledgerNewestHour,
  ...bridgeBenches,
  longFile,
  inspector,
  idleThreads,
  idleThreadHandles,
  gatewayLatency,
  gatewayThroughput,
  clusterStatements,
  clusterAtOnce,
  clusterEngine,
  clusterWorkers,
  clusterMemory,
  clusterBytes,
  clusterLarge,
  redaction(values.peers ?? false),
  ...listTurnBenches(),
];

const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no bench named ${unknown.join(', ')}. There are: ${benches.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

const chosen = benches.filter(isChosen);
const results = [];
for (const bench of chosen) results.push(await runBench(bench));
const write = values.json ? renderJson : values.markdown ? renderMarkdown : renderTables;
console.log(write(results));
if (values.check && results.some(({ ratios }) => ratios.some(isMissed))) process.exitCode = 1;
