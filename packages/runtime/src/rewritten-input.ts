import { type HookToolCall, issuePaths, type PermissionRequest } from '@spec/hooks';
import type { Catalog } from './catalog.ts';
import type { AnyFunctionTool } from './definitions.ts';

/** Whether arguments that a hook rewrote still fit the tool's schema (design §4.2); the reason why not, without values. */
export async function checkRewrittenInput({ tools }: Catalog, subject: unknown): Promise<string | undefined> {
  const call = (subject as Partial<PermissionRequest>).toolCall ?? (subject as Partial<HookToolCall>);
  const tool =
    call.function === undefined ? undefined : (tools.get(call.function.name) as AnyFunctionTool | undefined);
  if (tool?.input === undefined) return undefined;
  const { issues } = await tool.input['~standard'].validate(JSON.parse(call.function?.arguments ?? '{}'));
  return issues === undefined
    ? undefined
    : `the tool "${tool.name}" does not accept it at ${issuePaths(issues)}`;
}
