import type { HookToolCall, LifecycleName, NewMessage, PermissionRequest } from '@spec/hooks';

/** What can be rewritten of what is decided on. */
export function inputOf(hook: LifecycleName, subject: unknown): unknown {
  if (hook === 'before_user_message') return (subject as NewMessage).content;
  if (hook === 'before_tool_call') return argumentsOf(subject as HookToolCall);
  if (hook === 'before_permission_request') return argumentsOf((subject as PermissionRequest).toolCall);
  return null;
}

function argumentsOf({ function: { arguments: json } }: HookToolCall): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
