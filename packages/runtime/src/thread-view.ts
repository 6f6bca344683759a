import {
  type ExecutionState,
  type FileStat,
  type HookMessage,
  type HookPermit,
  hookPermit,
  type HookToolResult,
  type MessageRange,
  type NewMessage,
  type ThreadState,
} from '@spec/hooks';
import { listFiles, readFile, statFile, unlinkFile, writeFile } from './files.ts';
import type { ThreadCore } from './thread-core.ts';
import { invokeTool, queueTool } from './tool-requests.ts';
import { deleteMessage, injectMessage, queueMessage, updateMessage } from './writes.ts';

/** A thread's state as one hook, one tool or the runtime itself sees it. With a permit, writes end with the hook (C5). */
export class ThreadView implements ThreadState {
  readonly core: ThreadCore;
  readonly permit: HookPermit | undefined;

  static {
    // Where the executor looks for the hook around a chain (C8).
    Object.defineProperty(ThreadView.prototype, hookPermit, {
      get(this: ThreadView) {
        return this.permit;
      },
    });
  }

  constructor(core: ThreadCore, permit: HookPermit | undefined) {
    this.core = core;
    this.permit = permit;
  }

  get threadId(): string {
    return this.core.record.id;
  }
  get agentId(): string {
    return this.core.record.agentId;
  }
  get userId(): string | null {
    return this.core.record.userId;
  }
  get execution(): ExecutionState {
    return this.permit === undefined ? this.core.flow : new HookExecution(this.core, this.permit);
  }
  get children(): readonly string[] {
    return [...this.core.children];
  }

  async getMessages(range: MessageRange = {}): Promise<HookMessage[]> {
    return this.core.store.listMessages(this.threadId, range);
  }
  async getMessage(id: string): Promise<HookMessage | null> {
    return this.core.store.getMessage(this.threadId, id);
  }
  async injectMessage(message: NewMessage): Promise<HookMessage> {
    this.#assertOpen('injectMessage');
    return injectMessage(this, message);
  }
  async updateMessage(id: string, updates: Record<string, unknown>): Promise<HookMessage> {
    this.#assertOpen('updateMessage');
    return updateMessage(this, id, updates);
  }
  async deleteMessage(id: string): Promise<boolean> {
    this.#assertOpen('deleteMessage');
    return deleteMessage(this, id);
  }
  async queueMessage(message: NewMessage): Promise<void> {
    this.#assertOpen('queueMessage');
    return queueMessage(this, message);
  }

  async loadAgent(id: string): Promise<unknown> {
    return this.core.runtime.catalog.agents.get(id) ?? null;
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

  async queueTool(name: string, input: Record<string, unknown>): Promise<void> {
    this.#assertOpen('queueTool');
    return queueTool(this, name, input);
  }
  async invokeTool(name: string, input: Record<string, unknown>): Promise<HookToolResult> {
    this.#assertOpen('invokeTool');
    return invokeTool(this, name, input);
  }

  async getValue(key: string): Promise<unknown> {
    return this.core.store.getValue(this.threadId, key);
  }
  async setValue(key: string, value: unknown): Promise<void> {
    this.#assertOpen('setValue');
    const fence = await this.core.fence();
    this.#assertOpen('setValue');
    return this.core.store.setValue(this.threadId, fence, { key, value });
  }

  async writeFile(path: string, data: string | Uint8Array, mimeType?: string): Promise<FileStat> {
    this.#assertOpen('writeFile');
    return writeFile(this, path, { data, mimeType });
  }
  async readFile(path: string): Promise<Uint8Array | null> {
    return readFile(this.core, path);
  }
  async statFile(path: string): Promise<FileStat | null> {
    return statFile(this.core, path);
  }
  async listFiles(prefix?: string): Promise<FileStat[]> {
    return listFiles(this.core, prefix);
  }
  async unlinkFile(path: string): Promise<boolean> {
    this.#assertOpen('unlinkFile');
    return unlinkFile(this, path);
  }

  async getChildThread(threadId: string): Promise<ThreadState | null> {
    const child = await this.core.runtime.openThread(threadId);
    return child?.record.parentId === this.threadId ? new ThreadView(child, this.permit) : null;
  }
  async getParentThread(): Promise<ThreadState | null> {
    const { parentId } = this.core.record;
    const parent = parentId === null ? null : await this.core.runtime.openThread(parentId);
    return parent === null ? null : new ThreadView(parent, this.permit);
  }

  emit(event: string, data?: unknown): void {
    this.#assertOpen('emit');
    this.core.events.emit({ type: 'custom', name: event, data });
  }
  async terminate(reason = 'terminated'): Promise<void> {
    this.#assertOpen('terminate');
    const fence = await this.core.fence();
    this.#assertOpen('terminate');
    await this.core.store.append(this.threadId, fence, { thread: { terminated: reason } });
    this.core.record.terminated = reason;
    this.core.flow.stop();
  }

  #assertOpen(write: string): void {
    this.permit?.assertOpen(write);
  }
}

/** The execution state in a hook: its signal is the hook's own (C4). */
class HookExecution implements ExecutionState {
  readonly #core: ThreadCore;
  readonly #permit: HookPermit;

  constructor(core: ThreadCore, permit: HookPermit) {
    this.#core = core;
    this.#permit = permit;
  }
  get flowId(): string {
    return this.#core.flow.flowId;
  }
  get currentSide(): 'a' | 'b' {
    return this.#core.flow.currentSide;
  }
  get stepCount(): number {
    return this.#core.flow.stepCount;
  }
  get stopped(): boolean {
    return this.#core.flow.stopped;
  }
  get abortSignal(): AbortSignal {
    return this.#permit.signal;
  }
  stop(): void {
    this.#permit.assertOpen('execution.stop');
    this.#core.flow.stop();
  }
}
