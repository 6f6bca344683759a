import type { FamilyEvent } from '../thread-event.ts';
import type { UIDataChunk } from './chunk.ts';
import { inputOf } from './json.ts';

/** What a person is asked about in a subagent: the data of a part `data-permission`, which its answer replaces. */
export interface PermissionData {
  /** The thread of the subagent. */
  readonly threadId: string;
  readonly toolCallId: string;
  readonly tool: string;
  /** The arguments, as the person is asked about them. */
  readonly input: unknown;
  readonly answer: 'waiting' | 'allowed' | 'refused';
}

/** The questions of threads below the one whose turn is shown: their calls are no parts of its message. */
export class FamilyAsks {
  readonly #waiting = new Map<string, PermissionData>();

  /** What an event of a thread below becomes; nothing where it is neither a question about a call nor its answer. */
  take(event: FamilyEvent): UIDataChunk | undefined {
    const { type, threadId } = event;
    if (type === 'permission_asked' && event.about === 'tool_call') {
      const { toolCallId, tool } = event;
      return this.#part({ threadId, toolCallId, tool, input: inputOf(event.input), answer: 'waiting' });
    }
    if (type !== 'permission_answered' || event.toolCallId === undefined) return undefined;
    const asked = this.#waiting.get(idOf(threadId, event.toolCallId));
    return asked && this.#part({ ...asked, answer: event.allowed ? 'allowed' : 'refused' });
  }

  #part(data: PermissionData): UIDataChunk {
    const id = idOf(data.threadId, data.toolCallId);
    if (data.answer === 'waiting') this.#waiting.set(id, data);
    else this.#waiting.delete(id);
    return { type: 'data-permission', id, data };
  }
}

/** Calls of several subagents may have the same id. */
function idOf(threadId: string, toolCallId: string): string {
  return `${threadId}.${toolCallId}`;
}
