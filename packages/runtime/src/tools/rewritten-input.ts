import {
  type HookToolCall,
  issuePaths,
  type PermissionRequest,
  RunError,
  type StandardSchema,
} from '@spec/hooks';
import { restoreForTool } from '../permission/restore-for-tool.ts';
import type { ThreadView } from '../thread/core.ts';

/**
 * Whether arguments that a hook rewrote still fit the tool's schema (design §4.2), as the tool would get them; the reason
 * why not, without values.
 */
export async function checkRewrittenInput(view: ThreadView, subject: unknown): Promise<string | undefined> {
  const call = ((subject as Partial<PermissionRequest>).toolCall ?? subject) as Partial<HookToolCall>;
  const tool = view.core.runtime.catalog.tools.get(call.function?.name ?? '');
  if (tool?.input === undefined) return undefined;
  try {
    const given = await restoreForTool(view, tool, call as HookToolCall);
    const issues = await findIssues(tool.input, JSON.parse(given.function.arguments));
    if (issues === undefined) return undefined;
    return `the tool "${tool.name}" does not accept it at ${issuePaths(issues)}`;
  } catch (error) {
    if (!(error instanceof RunError) || error.code === 'aborted') throw error;
    return `a hook could not put values back into it (${error.code})`;
  }
}

type Issues = Parameters<typeof issuePaths>[0];

/** A schema that throws is at fault itself, not the hook that rewrote: the call fails by it when its tool is to run. */
async function findIssues(schema: StandardSchema, input: unknown): Promise<Issues | undefined> {
  try {
    return (await schema['~standard'].validate(input)).issues;
  } catch {
    return undefined;
  }
}
