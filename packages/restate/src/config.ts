import { DefinitionError } from '@spec/hooks';
import { isHttpUrl } from './engine.ts';

/** Options of {@link restateConfig}. */
export interface RestateConfigOptions {
  /** The folder of all its state. */
  readonly folder: string;
  /** Default 8080, 9070 and 5122, as Restate's own. */
  readonly ports?: { readonly ingress?: number; readonly admin?: number; readonly node?: number };
  /** The interface to serve; default `127.0.0.1`, and not all, as Restate's own. */
  readonly host?: string;
  /** Unlike those of the other nodes of a cluster; default `one`. */
  readonly name?: string;
  /**
   * The nodes of a cluster, this one among them, as they reach each other: such as `http://10.0.0.1:5122`. What a turn needs is on a majority of
   * them, so of three any one may be lost. Default: this server alone.
   */
  readonly nodes?: readonly string[];
  /** Whether this node makes the cluster when it is started first. One of the nodes does; default `false`. */
  readonly makesCluster?: boolean;
  /** How many parts the threads are divided into; it cannot be changed later. Default 4, for one machine. */
  readonly partitions?: number;
  /** Memory of its database, in MiB; default 256. */
  readonly memory?: number;
}

/**
 * The settings of a Restate server that turns need, as the text of its `--config-file`. What is not usual has its reason beside it.
 *
 * @throws {DefinitionError} `bad_option`
 */
export function restateConfig(options: RestateConfigOptions): string {
  const { folder, ports = {}, host = '127.0.0.1', name = 'one', partitions = 4, memory = 256 } = options;
  const { nodes = [], makesCluster = false } = options;
  const { ingress = 8_080, admin = 9_070, node = 5_122 } = ports;
  if (typeof folder !== 'string' || folder === '')
    throw new DefinitionError('bad_option', 'restateConfig: folder must be the path of a folder.');
  if (!nodes.every(isHttpUrl))
    throw new DefinitionError(
      'bad_option',
      'restateConfig: nodes must be addresses such as http://10.0.0.1:5122.',
    );
  for (const [what, value] of Object.entries({ ingress, admin, node, partitions, memory }))
    if (!Number.isSafeInteger(value) || value < 1)
      throw new DefinitionError('bad_option', `restateConfig: ${what} must be a whole number of 1 or more.`);
  return `# Written by restateConfig of @spec/restate, for Restate 1.7.
roles = ["http-ingress", "admin", "worker", "log-server", "metadata-server"]
node-name = ${quote(name)}
cluster-name = "spec-hooks"
base-dir = ${quote(folder)}
listen-mode = "tcp" # Unix sockets besides by default.
bind-ip = ${quote(host)} # All interfaces by default.
bind-port = ${node}
advertised-host = ${quote(host)}
default-num-partitions = ${partitions}
disable-telemetry = true
rocksdb-total-memory-size = "${memory} MiB"
shutdown-timeout = "5s"
default-journal-retention = "0s" # Nothing of a turn that has ended stays.
${nodes.length > 0 ? describeCluster(nodes, makesCluster) : ''}
[ingress]
bind-ip = ${quote(host)}
bind-port = ${ingress}

[admin]
bind-ip = ${quote(host)}
bind-port = ${admin}

[default-retry-policy]
initial-interval = "50ms"
max-interval = "2s"
max-attempts = "unlimited" # After 70 a thread would stay paused until somebody resumes it.

[worker.invoker]
inactivity-timeout = "24h" # A turn that is silent for longer is cut off and runs again; 1 min by default.
abort-timeout = "24h"
http2-keep-alive-interval = "1s" # With the timeout: how soon a worker that hangs is noticed.
http2-keep-alive-timeout = "1s"
http2-streams-per-connection-limit = 1 # Else one worker gets all turns.
connect-timeout = "1s"
`;
}

function describeCluster(nodes: readonly string[], makesCluster: boolean): string {
  const majority = Math.floor(nodes.length / 2) + 1;
  return `auto-provision = ${makesCluster} # One node makes the cluster, the others join it.
default-replication = ${majority} # Any of the rest may be lost.

[metadata-client]
addresses = [${nodes.map(quote).join(', ')}]
`;
}

/** A text in TOML. */
function quote(text: string): string {
  return JSON.stringify(text);
}
