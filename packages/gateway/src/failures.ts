import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Message } from './peer.ts';

/** A server gave no answer. The message holds no data. */
export class UpstreamFailure extends Error {
  /** For the client: the code of JSON-RPC for an internal error. */
  readonly code: number = ErrorCode.InternalError;

  /** @param what follows the name of the server: `is closed` */
  constructor(server: string, what: string) {
    super(`The MCP server "${server}" ${what}.`);
  }
}

/** What a server was asked when it failed. */
export interface FailedRequest {
  readonly server: { readonly name: string; readonly loginHint?: string };
  readonly message: Message;
}

/** Words of our own for what broke: what the SDK and the system say can hold data. An error that a server answers stays as it is. */
export function explainFailure(error: unknown, { server, message }: FailedRequest): Error {
  if (error instanceof UpstreamFailure) return error;
  if (error instanceof McpError && !isOfSdk(error)) return error;
  const { name, loginHint } = server;
  if (isLoginWanted(error)) {
    const hint = loginHint === undefined ? '' : `: run "${loginHint}"`;
    return new UpstreamFailure(name, `asks for a login${hint}`);
  }
  return new UpstreamFailure(name, describeBreak(error, message));
}

/** For whoever runs the gateway. What servers say is for their client: it can hold data. */
export function describeFailure(
  error: unknown,
  { server, method }: { readonly server: string; readonly method: string },
): string {
  if (error instanceof UpstreamFailure) return error.message;
  if (error instanceof McpError)
    return `The MCP server "${server}" answered ${method} with the error ${error.code}.`;
  return `The MCP server "${server}" gave what cannot be taken as an answer to ${method}.`;
}

/** Whether a server has refused how it was spoken to, as those do that speak HTTP as MCP did before 2025. */
export function isUnknownWay(error: unknown): boolean {
  const code = readCode(error);
  return code === 400 || code === 404 || code === 405;
}

/** What may have taken effect all the same. */
const calls: Readonly<Record<string, (params: Message['params']) => string>> = {
  'tools/call': (params) => `while ${String(params?.name)} ran; ${EFFECT_UNKNOWN}`,
  'tasks/result': () => `while a task ran; ${EFFECT_UNKNOWN}`,
};
const EFFECT_UNKNOWN = 'whether the call took effect is unknown';

function describeBreak(error: unknown, { method, params }: Message): string {
  const what = calls[method]?.(params) ?? `while it answered ${method}`;
  const code = readCode(error);
  if (code === ErrorCode.ConnectionClosed) return `ended ${what}`;
  if (code === ErrorCode.RequestTimeout) return `did not answer in time, ${what}`;
  if (code === 'ENOENT') return 'has no such command or working folder';
  if (typeof code === 'number' && code >= 100) return `answered with HTTP ${code} ${what}`;
  return `could not be reached, or sent what is no message of MCP, ${what}`;
}

/** An error that no server has answered. Servers answer with the same codes: the SDK's own errors are known by their words. */
function isOfSdk({ code, message }: McpError): boolean {
  if (code === ErrorCode.ConnectionClosed) return message.endsWith(': Connection closed');
  return (
    code === ErrorCode.RequestTimeout && /: (Request timed out|Maximum total timeout exceeded)$/.test(message)
  );
}

function isLoginWanted(error: unknown): boolean {
  return readCode(error) === 401 || error instanceof UnauthorizedError || error instanceof OAuthError;
}

function readCode(error: unknown): unknown {
  return ((error ?? {}) as { code?: unknown }).code;
}
