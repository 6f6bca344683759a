interface Host {
  readonly process?: { emitWarning?(text: string, options: { type: string; code: string }): void };
  reportError?(error: unknown): void;
}

/** Tells what has gone wrong where nobody could be told otherwise, never data: as a warning of Node, elsewhere through `reportError`. */
export function warn(text: string, options: { readonly type: string; readonly code: string }): void {
  const { process, reportError } = globalThis as Host;
  if (process?.emitWarning !== undefined) process.emitWarning(text, options);
  else reportError?.(new Error(text));
}
