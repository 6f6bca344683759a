/** The names with which a matcher of a format is compared on an event. */
export interface KnownNames {
  /** The program whose names these are, with its version. */
  readonly of: string;
  readonly areTools: boolean;
  /** Those of this version, and those of earlier ones that files still have. */
  readonly names: readonly string[];
  /** Names that nobody can list, such as the tools of MCP servers. */
  readonly others?: RegExp;
}

const toolEvents: readonly string[] = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
];

/** The tools of Claude Code 2.1.330 (November 2026), by the list `BUILTIN_TOOL_NAMES` of its SDK 0.3.330. */
const tools =
  'Agent Artifact AskUserQuestion Bash ClaudeDesign CronCreate CronDelete CronList Edit EndConversation EnterPlanMode EnterWorktree ' +
  'ExitPlanMode ExitWorktree Glob Grep ListAgents ListMcpResourcesTool LSP Monitor NotebookEdit OfferChromeSetup PowerShell Projects ' +
  'propose_skills PushNotification Read ReadMcpResourceDirTool ReadMcpResourceTool ReadNotifications RemoteTrigger ReportFindings ' +
  'ScheduleWakeup SendFeedback SendMessage SendUserFile SendUserMessage SetGoal ShareOnboardingGuide ShowOnboardingRolePicker Skill ' +
  'SubagentHandback TaskCreate TaskGet TaskList TaskStop TaskUpdate TodoWrite ToolSearch WaitForMcpServers WebFetch WebSearch Workflow Write';

/** Tools of earlier versions, and the names that some tools had there. */
const formerTools =
  'AgentOutputTool BashOutput Brief KillBash KillShell ListMcpResources ListPeers LS MultiEdit NotebookRead ProposeGoal ' +
  'ReadMcpResource ReadMcpResourceDir REPL SlashCommand StructuredOutput Task TaskOutput TeamCreate TeamDelete exit_plan_mode';

/** What else matchers are compared with, on events where only certain words come. */
const words: Readonly<Record<string, string>> = {
  SessionStart: 'startup resume clear compact fork',
  SessionEnd: 'clear resume logout prompt_input_exit other',
  PreCompact: 'manual auto',
};

/** The names that Claude Code compares with the matchers of an event; nothing where they are anybody's. */
export function claudeNamesAt(eventName: string): KnownNames | undefined {
  const of = 'Claude Code 2.1.330';
  if (toolEvents.includes(eventName))
    return { of, areTools: true, names: `${tools} ${formerTools}`.split(' '), others: /^mcp__.+__/ };
  if (!Object.hasOwn(words, eventName)) return undefined;
  return { of, areTools: false, names: (words[eventName] as string).split(' ') };
}
