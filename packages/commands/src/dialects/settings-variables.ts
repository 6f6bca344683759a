import { userInfo } from 'node:os';
import { type HookToolResult, nearest } from '@spec/hooks';
import type { Invocation, Occasion } from '../normal-form.ts';
import type { Fields } from './nested/fields.ts';
import { neededVariables, setsVariable } from './nested/named-variables.ts';
import type { Report } from './nested/report.ts';

/** What `$PLATFORM` says. */
const PLATFORM = 'spec-hooks';

const TOOL = ['TOOL_NAME', 'INPUT'];

/** The variables that only some events have; all others are always there. */
const ofEvents: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: TOOL,
  PostToolUse: [...TOOL, 'OUTPUT'],
  UserPromptSubmit: ['PROMPT'],
};
const always = ['TIMESTAMP', 'SESSION_ID', 'USER_NAME', 'PROJECT_ROOT', 'PLATFORM', 'AGENT_NAME'];
const all = [...new Set([...always, ...Object.values(ofEvents).flat()])];

/** The variables of an event, as the document's tables list them. */
export function settingsVariables(
  eventName: string,
  { tool, result, prompt, timestamp, sessionId, userId, projectDir, agentId }: Occasion,
): Pick<Invocation, 'env' | 'payloadVariables'> {
  const payloadVariables: Record<string, string> = {};
  if (tool !== undefined) payloadVariables.INPUT = JSON.stringify(tool.input);
  if (result !== undefined) payloadVariables.OUTPUT = writeOutput(result);
  if (eventName === 'UserPromptSubmit') payloadVariables.PROMPT = prompt ?? '';
  return {
    payloadVariables,
    env: {
      ...(tool === undefined ? {} : { TOOL_NAME: tool.name }),
      TIMESTAMP: timestamp,
      SESSION_ID: sessionId,
      USER_NAME: userId ?? process.env.USER ?? findUserOfProcess(),
      PROJECT_ROOT: projectDir,
      PLATFORM,
      AGENT_NAME: agentId,
    },
  };
}

/** The system's name of the current user; empty for an id without a name, as in some containers. */
function findUserOfProcess(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

/** A tool's result as JSON: without a stack, which is the tool's own affair, and with the names of files, not their bytes. */
function writeOutput({ status, result, error, attachments }: HookToolResult): string {
  return JSON.stringify({
    status,
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
    ...(attachments === undefined
      ? {}
      : { attachments: attachments.map(({ name, mimeType }) => ({ name, mimeType })) }),
  });
}

const TEMPLATE = /\{\{\s*(?:toolName|input\.|result|sandbox)[^}]*\}\}/;

/** Reports variables that an entry will find empty: of another event, misspelt, or of another format. */
export function reportSettingsVariables(fields: Fields, eventName: string, report: Report): void {
  for (const key of ['command', 'condition']) {
    const text = fields.value(key);
    if (typeof text !== 'string') continue;
    const template = TEMPLATE.exec(text)?.[0];
    if (template !== undefined) {
      const message = `${template} is a template of hub.json, and stays as it is here. Use a variable, such as "$INPUT".`;
      report.warning('unknown_variable', [...fields.path, key], message);
    }
    for (const name of neededVariables(text)) {
      const problem = setsVariable(text, name) ? undefined : problemWith(name, eventName);
      if (problem !== undefined)
        report.warning('unknown_variable', [...fields.path, key], `$${name} ${problem}`);
    }
  }
}

function problemWith(name: string, eventName: string): string | undefined {
  if (always.includes(name) || ofEvents[eventName]?.includes(name)) return undefined;
  if (all.includes(name)) {
    const where = Object.keys(ofEvents).filter((event) => ofEvents[event]?.includes(name));
    return `is empty on ${eventName}: only ${where.join(' and ')} ${where.length === 1 ? 'has' : 'have'} it.`;
  }
  if (/^CLAUDE_|^FILE_PATH$/.test(name))
    return `is a variable of another format, and is empty here. The variables are ${all.join(', ')}.`;
  const meant = nearest(name, all);
  return meant === undefined ? undefined : `is no variable of this format. Did you mean $${meant}?`;
}
