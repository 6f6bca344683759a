import type { ThreadState } from '@spec/hooks';
import type { ToolHandler } from '../normal-form.ts';
import { type Limits, withinLimits } from './deadline.ts';
import { answeredWith, notAnswered } from './ends.ts';
import type { HandlerEnd } from './handler-end.ts';

/** What a call of a tool needs. */
export interface ToolLimits extends Limits {
  readonly state: ThreadState;
}

/** Calls a tool of the runtime, through the same hooks as a call of the model. Its answer is the tool's result. Never rejects. */
export async function runTool(handler: ToolHandler, limits: ToolLimits): Promise<HandlerEnd> {
  const { state } = limits;
  const name = handler.server === undefined ? handler.tool : `mcp__${handler.server}__${handler.tool}`;
  if (!state.toolNames().includes(name)) return notAnswered(`there is no tool ${name}`);
  return withinLimits(limits, async () => {
    try {
      const { status, result = '' } = await state.invokeTool(name, { ...handler.input });
      return status === 'success' ? answeredWith(result) : notAnswered(`the tool ${name} failed`);
    } catch {
      return notAnswered(`the tool ${name} could not be called`);
    }
  });
}
