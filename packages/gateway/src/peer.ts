import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  type McpError,
  type Notification,
  type Request,
  type Result,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** A message of either side, as it is passed on. */
export interface Message {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** What is passed on with a request. */
export interface RequestOptions {
  readonly signal: AbortSignal;
  /** Milliseconds without an answer or progress. */
  readonly timeout: number;
  /** Milliseconds in all. */
  readonly total: number;
  /** Whoever asked wants to hear of progress. */
  readonly onProgress?: ((progress: Readonly<Record<string, unknown>>) => void) | undefined;
  /** The request of this peer in the course of which this one is made: over HTTP they share a stream. */
  readonly during?: string | number | undefined;
}

/**
 * One end of a connection of MCP. It takes every method and every field, known to the SDK or not: a gateway must not be narrower than
 * those on both its sides.
 */
export class Peer extends Protocol<Request, Notification, Result> {
  /** Sends a request, and cancels it if whoever asked does. */
  ask({ method, params }: Message, options: RequestOptions): Promise<Result> {
    const { signal, timeout, total, onProgress, during } = options;
    const request = params === undefined ? { method } : { method, params: { ...params } };
    return this.request(request, ResultSchema, {
      signal,
      timeout,
      maxTotalTimeout: total,
      resetTimeoutOnProgress: true,
      ...(onProgress === undefined ? undefined : { onprogress: onProgress }),
      ...(during === undefined ? undefined : { relatedRequestId: during }),
    });
  }

  /** Sends a notification. Whoever has gone needs none. */
  tell({ method, params }: Message, during?: string | number): Promise<void> {
    const options = during === undefined ? {} : { relatedRequestId: during };
    return this.notification(
      params === undefined ? { method } : { method, params: { ...params } },
      options,
    ).catch(() => {});
  }

  protected override assertCapabilityForMethod(): void {}
  protected override assertNotificationCapability(): void {}
  protected override assertRequestHandlerCapability(): void {}
  protected override assertTaskCapability(): void {}
  protected override assertTaskHandlerCapability(): void {}
}

/** The words of an error, without those that the SDK puts before them. */
export function readErrorText({ code, message }: McpError): string {
  return message.replace(`MCP error ${code}: `, '');
}

/** An error to be passed on: on its way out the SDK adds nothing to it. */
export function makeError(code: number, message: string, data?: unknown): Error {
  return Object.assign(new Error(message), { code, ...(data === undefined ? {} : { data }) });
}
