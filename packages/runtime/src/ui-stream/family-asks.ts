import type { FamilyEvent } from '../events/thread-event.ts';
import type { UIDataChunk } from './chunk.ts';
import { readInput } from './json.ts';

/** What a person is asked about in a subagent: the data of a part `data-permission`, which its answer replaces. */
export interface PermissionData {
  /** What `onAsk` knows the question by. */
  readonly askId: string;
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
      const { askId, toolCallId, tool } = event;
      const input = readInput(event.input);
      return this.#part({ askId, threadId, toolCallId, tool, input, answer: 'waiting' });
    }
    const asked = type === 'permission_answered' ? this.#waiting.get(event.askId) : undefined;
    if (asked === undefined || type !== 'permission_answered') return undefined;
    return this.#part({ ...asked, answer: event.allowed ? 'allowed' : 'refused' });
  }

  #part(data: PermissionData): UIDataChunk {
    const { askId: id } = data;
    if (data.answer === 'waiting') this.#waiting.set(id, data);
    else this.#waiting.delete(id);
    return { type: 'data-permission', id, data };
  }
}
