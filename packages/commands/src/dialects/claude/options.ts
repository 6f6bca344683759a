/** Options of the `claude` dialect. */
export interface ClaudeOptions {
  /**
   * Sets variables that files use although the format does not define them: CLAUDE_TOOL_INPUT, CLAUDE_TOOL_NAME,
   * CLAUDE_FILE_PATHS and so on. Default false: they are reported.
   */
  readonly legacyVariables?: boolean;
  /** The folder for output that is too long for the model, and for CLAUDE_ENV_FILE. Default: a private folder for temporary files. */
  readonly outputDir?: string;
  /** The folder of CLAUDE_PLUGIN_DATA. Default: none; its use is reported. */
  readonly pluginDataDir?: string;
  /** The file that `transcript_path` names. Default: none, and the path is empty. */
  readonly transcriptPath?: (sessionId: string) => string;
}
