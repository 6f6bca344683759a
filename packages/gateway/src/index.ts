// Gateway: an MCP server before others, through which every call passes the hooks. Programs and the command call it; it starts no server itself.

export type { GatewayEvent } from './events.ts';
export type { Gateway, GatewayOptions, GatewaySession } from './gateway.ts';
export { createGateway } from './gateway.ts';
export type { HiddenText } from './hidden-characters.ts';
export type { NeverRun } from './honours.ts';
export { honours } from './honours.ts';
export type { GatewayLimits } from './limits.ts';
export type { FirstUse, Held, PinStore, Pins, Told } from './pins.ts';
export { makeFingerprint } from './pins.ts';
export type { UpstreamServer } from './upstream.ts';
