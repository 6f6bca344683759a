import type { JsonObject } from 'type-fest';

/** A shell command, or a program with its arguments. */
export interface CommandHandler {
  readonly type: 'command';
  /** The line for the shell; with `args` the program. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly shell?: 'sh' | 'bash';
  /** The folder that it runs in, relative to the project's. Default: the project's. */
  readonly cwd?: string;
  /** Variables of its own. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface HttpHandler {
  readonly type: 'http';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Variables of the host's environment that `headers` may name. */
  readonly allowedEnvVars?: readonly string[];
}

/** A question to a model. */
export interface PromptHandler {
  readonly type: 'prompt' | 'agent';
  /** `$ARGUMENTS` in it stands for the payload. */
  readonly prompt: string;
  readonly model?: string;
  /** After a tool: a "no" of the model is feedback, and does not end the turn. */
  readonly continueOnBlock?: boolean;
}

/** A tool of the runtime. */
export interface ToolHandler {
  readonly type: 'mcp_tool';
  readonly server?: string;
  readonly tool: string;
  readonly input?: JsonObject;
}

/** What an entry runs. */
export type EntryHandler = CommandHandler | HttpHandler | PromptHandler | ToolHandler;
