import type { Assumptions } from './cluster.ts';

/** What one turn costs, measured by the benches `cluster-…` on two cores of 2026. */
export interface TurnCosts {
  /** Statements of a turn, its first on a worker included (`cluster-workers`). */
  readonly statements: number;
  /** Of all processes, in seconds of a processor (`cluster-engine`). */
  readonly processorSeconds: number;
  /** Bytes in tables and indexes, and in the log (`cluster-bytes`). */
  readonly tableBytes: number;
  readonly logBytes: number;
}

/** What a cluster needs that runs so many turns. */
export interface Needs {
  readonly statementsPerSecond: number;
  readonly processors: number;
  /** Of models and tools that are waited for. */
  readonly turnsAtOnce: number;
  readonly turnsAtOncePerWorker: number;
  readonly databaseConnections: number;
  /** A year of turns, if nothing is deleted; the day that is simulated counts as one of the peak, see {@link PEAK}. */
  readonly terabytesPerYear: number;
  readonly logMegabytesPerSecond: number;
}

/** How many times the mean of a day its busiest hour has. */
export const PEAK = 3;

/** Connections of a worker: of its pool, and one that listens. */
const CONNECTIONS_PER_WORKER = 8 + 1;

/** What turns at the peak need. */
export function computeNeeds(costs: TurnCosts, { turnsPerSecond, turnSeconds, workers }: Assumptions): Needs {
  const turnsAtOnce = turnsPerSecond * turnSeconds;
  return {
    statementsPerSecond: costs.statements * turnsPerSecond,
    processors: costs.processorSeconds * turnsPerSecond,
    turnsAtOnce,
    turnsAtOncePerWorker: turnsAtOnce / workers,
    databaseConnections: CONNECTIONS_PER_WORKER * workers,
    terabytesPerYear: ((turnsPerSecond / PEAK) * 86_400 * 365 * costs.tableBytes) / 1e12,
    logMegabytesPerSecond: (turnsPerSecond * costs.logBytes) / 1e6,
  };
}
