/** Copilot's names of tools, and those of Claude Code that events in PascalCase are told. */
const CLAUDE_NAMES: Readonly<Record<string, string>> = {
  bash: 'Bash',
  powershell: 'Bash',
  view: 'Read',
  create: 'Write',
  edit: 'Edit',
  str_replace_editor: 'Edit',
  apply_patch: 'Edit',
  grep: 'Grep',
  rg: 'Grep',
  glob: 'Glob',
  web_fetch: 'WebFetch',
  web_search: 'WebSearch',
  ask_user: 'AskUserQuestion',
  update_todo: 'TodoWrite',
  task: 'Agent',
};

/** Claude Code's name of a tool. */
export function nameInClaude(name: string): string {
  return Object.hasOwn(CLAUDE_NAMES, name) ? (CLAUDE_NAMES[name] as string) : name;
}

/** Copilot's name of a tool: the first of several. */
export function nameInCopilot(name: string): string {
  return Object.keys(CLAUDE_NAMES).find((own) => own === name || CLAUDE_NAMES[own] === name) ?? name;
}
