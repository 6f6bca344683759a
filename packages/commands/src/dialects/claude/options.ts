/** What an operator gives the `claude` dialect besides its own rules. */
export interface ClaudeOptions {
  /**
   * Sets the variables that files use although the format has none of them: CLAUDE_TOOL_INPUT, CLAUDE_TOOL_NAME,
   * CLAUDE_FILE_PATHS and so on. Default false: they are reported.
   */
  readonly legacyVariables?: boolean;
  /** The folder for output that is too long for the model, and for CLAUDE_ENV_FILE. Default: a private folder for temporary files. */
  readonly outputDir?: string;
  /** The folder of CLAUDE_PLUGIN_DATA. Default: there is none, and its use is reported. */
  readonly pluginDataDir?: string;
  /** The file that `transcript_path` names. Default: none, and the path is empty. */
  readonly transcriptPath?: (sessionId: string) => string;
}
