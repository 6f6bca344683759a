// State: a thread as one hook, tool, turn or the application sees it. The runtime makes views and passes them down; a view never writes without its permit.

import type { Context } from '@opentelemetry/api';
import {
  type ExecutionState,
  type FileStat,
  type HookMessage,
  type HookToolResult,
  hookPermit,
  hookTexts,
  type KeyedValue,
  type MessageRange,
  type ModelUsage,
  type NewMessage,
  type NewMessageOfParts,
  type ThreadState,
} from '@spec/hooks';
import { isAborted } from '../aborted.ts';
import { findAgent } from '../definitions/catalog.ts';
import { checkRange, checkText } from '../given.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { reachChild } from '../thread/family.ts';
import type { Flow } from '../thread/flow.ts';
import { newId } from '../thread/ids.ts';
import { nameWriter, type WritePermit } from '../thread/permit.ts';
import type { Place } from '../thread/place.ts';
import { invokeTool, queueTool } from '../tools/requests.ts';
import { listFiles, readFile, statFile, unlinkFile, writeFile } from '../writes/files.ts';
import { injectMessage, queueMessage } from '../writes/given-messages.ts';
import { deleteMessage, updateMessage } from '../writes/message-changes.ts';
import { setValue, setValuesIf, terminate } from '../writes/values.ts';
import { PermittedExecution } from './permitted-execution.ts';

interface ViewOptions {
  readonly permit?: WritePermit | undefined;
  readonly flow?: Flow | undefined;
  readonly place?: Place | undefined;
  readonly trace?: Context | undefined;
  /** Whether hooks gave what is written here. */
  readonly isOfHooks?: boolean;
}

/**
 * The views of threads that are open.
 *
 * V1 With a permit, writes end with the hook or tool: looked at when the method is called, and at the instant of the write (C5).
 * V2 A write that a hook or tool does not wait for brings nothing down when it is refused; the thread's events tell of it.
 * V3 A turn's view, and those made from it, stay in that turn; others are where the thread is.
 */
export class LiveView implements ThreadView {
  readonly core: ThreadCore;
  readonly permit: WritePermit | undefined;
  readonly place: Place | undefined;
  readonly trace: Context | undefined;
  readonly #own: Flow | undefined;
  readonly #isOfHooks: boolean;

  static {
    // Where the executor looks for the hook around a chain (C8).
    Object.defineProperty(LiveView.prototype, hookPermit, {
      get(this: LiveView) {
        return this.permit;
      },
    });
    Object.defineProperty(LiveView.prototype, hookTexts, {
      get(this: LiveView) {
        return this.#isOfHooks;
      },
    });
    Object.defineProperty(LiveView.prototype, Symbol.for('nodejs.util.inspect.custom'), {
      value(this: LiveView) {
        const { threadId, agentId, userId, execution } = this;
        return { threadId, agentId, userId, execution };
      },
    });
  }

  constructor(core: ThreadCore, options: ViewOptions = {}) {
    const { permit, flow, place, trace = flow?.trace, isOfHooks = false } = options;
    this.core = core;
    this.permit = permit;
    this.place = place;
    this.trace = trace;
    this.#own = flow;
    this.#isOfHooks = isOfHooks;
  }

  for(permit: WritePermit): ThreadView {
    return new LiveView(this.core, { permit, flow: this.#own, place: this.place, trace: this.trace });
  }

  step<T>(name: string, run: (at: ThreadView) => Promise<T> | T): Promise<T> | T {
    const { core, permit, place, trace } = this;
    const flow = this.#own;
    if (permit !== undefined || place !== undefined || flow === undefined || flow.turnId === null)
      return run(this);
    const at = flow.identifyPlace(name);
    const isOfHooks = this.#isOfHooks;
    return flow.context.step(at.id, () => run(new LiveView(core, { flow, place: at, trace, isOfHooks })));
  }

  at(place: Place): ThreadView {
    return new LiveView(this.core, { permit: this.permit, flow: this.#own, place, trace: this.trace });
  }

  about(messageId: string): ThreadView {
    const { permit, place } = this;
    return permit === undefined || place === undefined
      ? this
      : this.at(place.about(nameWriter(permit), messageId));
  }

  ofHooks(): ThreadView {
    const { core, permit, place, trace } = this;
    return new LiveView(core, { permit, flow: this.#own, place, trace, isOfHooks: true });
  }

  traced(trace: Context): ThreadView {
    return new LiveView(this.core, { permit: this.permit, flow: this.#own, place: this.place, trace });
  }

  in(flow: Flow): ThreadView {
    return new LiveView(this.core, { flow });
  }

  afterAbort(): ThreadView {
    const { core, flow, place, trace } = this;
    return flow.isAborted ? new LiveView(core, { flow: flow.afterAbort(), place, trace }) : this;
  }

  nextId(kind = 'i'): string {
    return this.place?.nextId(nameWriter(this.permit), kind) ?? newId();
  }

  get flow(): Flow {
    return this.#own ?? this.core.flow;
  }

  assertOpen(write: string): void {
    const { permit, core } = this;
    if (permit === undefined || permit.open) return;
    core.events.emit({ type: 'late_write', late: { hook: permit.hook, id: permit.id, write } });
    permit.assertOpen(write);
  }

  get threadId(): string {
    return this.core.id;
  }
  get agentId(): string {
    return this.core.record.agentId;
  }
  get userId(): string | null {
    return this.core.record.userId;
  }
  get execution(): ExecutionState {
    return this.permit === undefined ? this.flow : new PermittedExecution(this, this.permit);
  }
  get usage(): ModelUsage {
    return { ...this.core.tokens.total };
  }
  get children(): readonly string[] {
    return [...this.core.children];
  }

  async getMessages(range: MessageRange = {}): Promise<HookMessage[]> {
    checkRange(range);
    return this.core.store.listMessages(this.threadId, range);
  }
  async getMessage(id: string): Promise<HookMessage | null> {
    checkText('id of a message', id);
    return this.core.store.getMessage(this.threadId, id);
  }
  injectMessage(message: NewMessage | NewMessageOfParts): Promise<HookMessage> {
    return this.#write('injectMessage', () => injectMessage(this, message));
  }
  updateMessage(id: string, updates: Record<string, unknown>): Promise<HookMessage> {
    return this.#write('updateMessage', () => updateMessage(this, id, updates));
  }
  deleteMessage(id: string): Promise<boolean> {
    return this.#write('deleteMessage', () => deleteMessage(this, id));
  }
  queueMessage(message: NewMessage | NewMessageOfParts): Promise<void> {
    return this.#write('queueMessage', () => queueMessage(this, message));
  }

  async loadAgent(id: string): Promise<unknown> {
    return findAgent(this.core.runtime.catalog, id) ?? null;
  }
  async loadPrompt(id: string): Promise<unknown> {
    return this.core.runtime.catalog.prompts.get(id) ?? null;
  }
  async loadModel(id: string): Promise<unknown> {
    return this.core.runtime.catalog.models.get(id) ?? null;
  }
  async loadTool(id: string): Promise<unknown> {
    return this.core.runtime.catalog.tools.get(id) ?? null;
  }
  agentNames(): readonly string[] {
    return [...this.core.runtime.catalog.agents.keys()];
  }
  promptNames(): readonly string[] {
    return [...this.core.runtime.catalog.prompts.keys()];
  }
  modelNames(): readonly string[] {
    return [...this.core.runtime.catalog.models.keys()];
  }
  toolNames(): readonly string[] {
    return [...this.core.runtime.catalog.tools.keys()];
  }

  queueTool(name: string, input: Record<string, unknown>): Promise<void> {
    return this.#write('queueTool', () => queueTool(this, name, input));
  }
  invokeTool(name: string, input: Record<string, unknown>): Promise<HookToolResult> {
    return this.#write('invokeTool', () => invokeTool(this, name, input));
  }

  async getValue(key: string): Promise<unknown> {
    checkText('key of a value', key);
    return this.core.store.getValue(this.threadId, key);
  }
  setValue(key: string, value: unknown): Promise<void> {
    return this.#write('setValue', () => setValue(this, key, value));
  }
  setValuesIf(expected: KeyedValue, values: readonly KeyedValue[]): Promise<boolean> {
    return this.#write('setValuesIf', () => setValuesIf(this, expected, values));
  }

  writeFile(path: string, data: string | Uint8Array, mimeType?: string): Promise<FileStat> {
    return this.#write('writeFile', () => writeFile(this, path, { data, mimeType }));
  }
  async readFile(path: string): Promise<Uint8Array | null> {
    checkText('path of a file', path);
    return readFile(this.core, path);
  }
  async statFile(path: string): Promise<FileStat | null> {
    checkText('path of a file', path);
    return statFile(this.core, path);
  }
  async listFiles(prefix?: string): Promise<FileStat[]> {
    if (prefix !== undefined) checkText('path that files are listed under', prefix);
    return listFiles(this.core, prefix);
  }
  unlinkFile(path: string): Promise<boolean> {
    return this.#write('unlinkFile', () => unlinkFile(this, path));
  }

  async getChildThread(threadId: string): Promise<ThreadState | null> {
    checkText('id of a thread', threadId);
    return this.#other(await reachChild(this.core, threadId));
  }
  async getParentThread(): Promise<ThreadState | null> {
    const { parentId } = this.core.record;
    return parentId === null ? null : this.#other(await this.core.runtime.reach(parentId));
  }
  #other(core: ThreadCore | null): ThreadState | null {
    const place = core === null ? undefined : this.place?.into(core.id, this.threadId);
    return core === null ? null : new LiveView(core, { permit: this.permit, place });
  }

  emit(event: string, data?: unknown): void {
    this.assertOpen('emit');
    this.core.events.emit({ type: 'custom', name: event, data });
  }
  terminate(reason = 'terminated'): Promise<void> {
    return this.#write('terminate', () => terminate(this, reason));
  }

  async #begin<T>(write: string, run: () => Promise<T>): Promise<T> {
    this.assertOpen(write);
    try {
      return await run();
    } catch (error) {
      if (isAborted(error)) this.assertOpen(write); // It was the hook's end that aborted the chains of its write.
      throw error;
    }
  }

  #write<T>(write: string, run: () => Promise<T>): Promise<T> {
    const writing = this.#begin(write, run);
    if (this.permit !== undefined) writing.catch(() => {}); // V2
    return writing;
  }
}
