import { statSync } from 'node:fs';
import type { FirstUse, GatewayLimits } from '@spec/gateway';
import { DefinitionError, isRecord, nearest } from '@spec/hooks';
import { type ParseError, parse } from 'jsonc-parser';
import { z } from 'zod';
import { readFileText } from '../read-text.ts';
import { isWebAddress } from './login-store.ts';

/** A server that is a process. */
export interface ConfiguredProcess {
  readonly type?: 'stdio' | undefined;
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

/** A server at an address. */
export interface ConfiguredAddress {
  /** `sse`: it speaks HTTP as MCP did before 2025. */
  readonly type?: 'http' | 'streamable-http' | 'streamableHttp' | 'sse' | undefined;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A server as a configuration names it, with its variables put in. */
export type ConfiguredServer = ConfiguredProcess | ConfiguredAddress;

/** What a file for `spec-hooks gateway --config` says. */
export interface GatewayConfig {
  readonly mcpServers: Readonly<Record<string, ConfiguredServer>>;
  readonly limits?: GatewayLimits | undefined;
  /** Ids of hooks that may run in part, or never. */
  readonly allowPartial?: readonly string[] | undefined;
  readonly firstUse?: FirstUse | undefined;
}

const texts: z.ZodType<Record<string, string>> = z.record(z.string(), z.string('a text'), 'texts by name');

const server: z.ZodType<ConfiguredServer> = z.union(
  [
    z.strictObject({
      type: z.literal('stdio').optional(),
      command: z.string().min(1),
      args: z.array(z.string()).optional(),
      env: texts.optional(),
      cwd: z.string().min(1).optional(),
    }),
    z.strictObject({
      type: z.enum(['http', 'streamable-http', 'streamableHttp', 'sse']).optional(),
      url: z.string().min(1),
      headers: texts.optional(),
    }),
  ],
  '{ command, args, env, cwd } or { url, headers }',
);

const fields: Readonly<Record<keyof GatewayConfig, z.ZodType>> = {
  mcpServers: z.record(z.string().min(1), server, 'an object with servers by name'),
  limits: z.custom<GatewayLimits>(isRecord, 'an object').optional(),
  allowPartial: z.array(z.string(), 'a list of ids of hooks').optional(),
  firstUse: z.enum(['trust', 'hold'], '"trust" or "hold"').optional(),
};

const shape: z.ZodType<unknown> = z.strictObject(fields);

const KEYS: readonly string[] = Object.keys(fields);

/**
 * Reads the configuration of a gateway: JSON, with or without comments. `${NAME}` in it stands for a variable of the environment.
 *
 * @throws {DefinitionError} `bad_option` for a file that cannot be read; `bad_definition` for what it must not hold. Values are never told.
 */
export function readGatewayConfig(file: string): GatewayConfig {
  const text = readFileText(file, 'name the file with the servers: --config FILE');
  const errors: ParseError[] = [];
  const content: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  if (errors.length > 0) throw refuse(file, 'is not JSON, with or without comments.');
  if (isRecord(content)) checkKeys(file, content);
  const parsed = shape.safeParse(content);
  if (!parsed.success) throw refuse(file, describeIssue(parsed.error.issues[0]));
  const config = parsed.data as GatewayConfig;
  const servers = Object.entries(config.mcpServers);
  if (servers.length === 0) throw refuse(file, 'names no server in "mcpServers".');
  const filled = servers.map(([name, one]): [string, ConfiguredServer] => {
    const place = { file, at: `mcpServers.${name}` };
    return [name, checkAddress(fillIn(one, place), place)];
  });
  return { ...config, mcpServers: Object.fromEntries(filled) };
}

/** What is no address of the web would be told of with every start anew. */
function checkAddress(server: ConfiguredServer, { file, at }: Place): ConfiguredServer {
  if (!('url' in server)) return server;
  if (isWebAddress(server.url)) return server;
  throw refuse(file, `"${at}.url" must be an address that begins with http:// or https://.`);
}

/** Whether others on this machine can read a file that may hold secrets. */
export function isOpenToOthers(file: string): boolean {
  return process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
}

function checkKeys(file: string, content: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(content).find((key) => !KEYS.includes(key));
  if (unknown === undefined) return;
  const meant = nearest(unknown, KEYS);
  const hint = meant === undefined ? `It has: ${KEYS.join(', ')}.` : `Did you mean "${meant}"?`;
  throw refuse(file, `has a field "${unknown}" that a gateway does not have. ${hint}`);
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  const at = issue?.path.join('.') ?? '';
  return at === ''
    ? 'must hold an object with "mcpServers".'
    : `"${at}" must be ${issue?.message ?? 'something else'}.`;
}

function refuse(file: string, what: string): DefinitionError {
  return new DefinitionError('bad_definition', `${file} ${what}`);
}

const VARIABLE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}/g;

interface Place {
  readonly file: string;
  readonly at: string;
}

/** Puts variables of the environment in. */
function fillIn<T>(value: T, place: Place): T {
  if (typeof value === 'string') return fillText(value, place) as T;
  if (Array.isArray(value)) return value.map((one) => fillIn(one, place)) as T;
  if (!isRecord(value)) return value;
  const filled = Object.entries(value).map(([key, one]) => [
    key,
    fillIn(one, { ...place, at: `${place.at}.${key}` }),
  ]);
  return Object.fromEntries(filled) as T;
}

function fillText(text: string, { file, at }: Place): string {
  return text.replace(VARIABLE, (_, name: string) => {
    const { [name]: value } = process.env;
    if (value === undefined) throw refuse(file, `"${at}" names the variable ${name}, which is not set.`);
    return value;
  });
}
