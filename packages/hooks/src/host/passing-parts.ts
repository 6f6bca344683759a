import type { Scope } from '../define/scope.ts';
import type { HookToolCall } from '../vocabulary/messages.ts';
import { PassingAnswer } from './passing-answer.ts';
import type { HostTurn } from './turn.ts';

/** A part of a streamed answer, as models of the AI SDK's provider interface give it, whatever its version. */
export interface StreamPart {
  readonly type: string;
  readonly id?: string | undefined;
  readonly delta?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly providerExecuted?: boolean | undefined;
  /** What a provider wants back with the part, by its name. */
  readonly providerMetadata?: object | undefined;
}

const argumentsInPieces: ReadonlySet<string> = new Set([
  'tool-input-start',
  'tool-input-delta',
  'tool-input-end',
]);
/** What the provider sends, word by word. */
const RAW = 'raw';
const reasoning: ReadonlySet<string> = new Set(['reasoning-start', 'reasoning-delta', 'reasoning-end']);

/**
 * The parts of a streamed answer, let out as far as no hook could still change it ({@link PassingAnswer}).
 *
 * S1 Where no hook is on answers, every part leaves as it comes; the end of the stream waits until a store has the answer.
 * S2 The arguments of calls do not leave piece by piece where a hook is on answers, nor does reasoning, which may say what hooks take out
 *    of the text.
 * S3 What the provider said word by word does not leave where a hook is on answers, nor what it tells of an answer that hooks have changed.
 * S4 A call that no hook has changed leaves as it came, with what its provider wants back (a signature, say), unless that refers to
 *    reasoning which has not left.
 */
export class PassingParts<Part extends StreamPart> {
  readonly #answer: PassingAnswer;
  readonly #isWatchedOnly: boolean;
  readonly #calls = new Map<string, Part>();
  #textId: string | undefined;
  #isOpen = false;
  #holdsReasoning = false;

  constructor(turn: HostTurn, scope: Scope) {
    this.#answer = new PassingAnswer(turn, scope);
    this.#isWatchedOnly = !turn.has('before_create_message', 'after_create_message');
  }

  /** @returns what leaves now */
  async take(part: Part): Promise<Part[]> {
    const passed = await this.#pass(part);
    return this.#isWatchedOnly ? [part] : (passed as Part[]);
  }

  async #pass(part: Part): Promise<StreamPart[]> {
    if (part.type === 'text-start') {
      this.#textId ??= part.id;
      return this.#release(this.#answer.add(''));
    }
    if (part.type === 'text-delta') return this.#release(this.#answer.add(part.delta ?? ''));
    if (part.type === 'text-end' || part.type === RAW || argumentsInPieces.has(part.type)) return [];
    if (reasoning.has(part.type)) {
      this.#holdsReasoning = true;
      return [];
    }
    if (part.type === 'tool-call' && part.providerExecuted !== true) {
      this.#keepCall(part);
      return [];
    }
    if (part.type !== 'finish') return [part];
    const rest = await this.#finish();
    return [...rest, this.#answer.isChanged ? { ...part, providerMetadata: undefined } : part];
  }

  #keepCall(part: Part): void {
    const { toolCallId: id = '', toolName: name = '' } = part;
    this.#calls.set(id, part);
    this.#answer.addCall({ id, type: 'function', function: { name, arguments: readInput(part) } });
  }

  #release(delta: string): StreamPart[] {
    if (delta === '') return [];
    const id = this.#textId ?? 'text';
    const start = this.#isOpen ? [] : [{ type: 'text-start', id }];
    this.#isOpen = true;
    return [...start, { type: 'text-delta', id, delta }];
  }

  async #finish(): Promise<StreamPart[]> {
    const { text, calls } = await this.#answer.finish();
    const parts = this.#release(text ?? '');
    if (this.#isOpen) parts.push({ type: 'text-end', id: this.#textId ?? 'text' });
    return [...parts, ...calls.map((call) => this.#releaseCall(call))];
  }

  #releaseCall({ id: toolCallId, function: { name: toolName, arguments: input } }: HookToolCall): StreamPart {
    const came = this.#calls.get(toolCallId);
    const isSame = came !== undefined && came.toolName === toolName && readInput(came) === input;
    if (!isSame) return { type: 'tool-call', toolCallId, toolName, input };
    if (!this.#holdsReasoning || !refersToOthers(came)) return came;
    return { ...came, providerMetadata: undefined };
  }
}

function readInput({ input }: StreamPart): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

/** OpenAI keeps an answer by the ids of its items, and takes none without the reasoning before it. */
function refersToOthers({ providerMetadata = {} }: StreamPart): boolean {
  return Object.values(providerMetadata).some(
    (given: unknown) => typeof given === 'object' && given !== null && 'itemId' in given,
  );
}
