import type { EntryHandler } from '@spec/commands';

/** What an entry of a settings file runs or asks, as one text. */
export function handlerText(handler: EntryHandler): string {
  switch (handler.type) {
    case 'command':
      return [handler.command, ...(handler.args ?? []).map((arg) => JSON.stringify(arg))].join(' ');
    case 'http':
      return `asks ${handler.url}`;
    case 'mcp_tool':
      return `calls the tool ${handler.tool}`;
    default:
      return `asks a model: ${handler.prompt}`;
  }
}
