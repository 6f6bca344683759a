// Local services: starts PostgreSQL and Restate as processes of this machine, on loopback. Tests and examples call it; it knows nothing of threads.

export { installServers } from './install.ts';
export { findFreePorts, keepPorts } from './ports.ts';
export { type PostgresServer, startPostgres, startReplica } from './postgres.ts';
export { type RestateServer, startRestate } from './restate.ts';
export { endLeftovers, type Service } from './service.ts';
export { openWire, type Wire } from './wire.ts';
