import type { ThreadState } from '@spec/hooks';
import type { ToolHandler } from '../entry-handler.ts';
import { type Limits, withinLimits } from './deadline.ts';
import { answeredWith, type HandlerEnd, notAnswered } from './handler-end.ts';

/** What a call of a tool needs. */
export interface ToolLimits extends Limits {
  readonly state: ThreadState;
}

/** Why an entry whose tool is missing cannot be called, as the end of a sentence about it. */
export function whyNoTool(handler: ToolHandler, state: ThreadState): string | undefined {
  const name = toolName(handler);
  return state.toolNames().includes(name) ? undefined : `there is no tool ${name}`;
}

function toolName({ server, tool }: ToolHandler): string {
  return server === undefined ? tool : `mcp__${server}__${tool}`;
}

/** Calls a tool of the runtime through the same hooks as a call of the model. The answer is the tool's result. Never rejects. */
export async function runTool(handler: ToolHandler, limits: ToolLimits): Promise<HandlerEnd> {
  const { state } = limits;
  const missing = whyNoTool(handler, state);
  if (missing !== undefined) return notAnswered(missing);
  const name = toolName(handler);
  return withinLimits(limits, async () => {
    try {
      const { status, result = '' } = await state.invokeTool(name, { ...handler.input });
      return status === 'success' ? answeredWith(result) : notAnswered(`the tool ${name} failed`);
    } catch {
      return notAnswered(`the tool ${name} could not be called`);
    }
  });
}
