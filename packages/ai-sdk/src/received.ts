import {
  changeFiles,
  type FileChanges,
  type HostTurn,
  hearUser,
  lendPrompt,
  MessageDeniedError,
  type Novelty,
  passRow,
  readFiles,
  readPromptText,
  SeenMessages,
  type SentFile,
  takePromptBack,
  toLLMMessage,
  Unanswered,
} from '@spec/hooks/host';
import { describeMessage, listCallIds, readTexts, replaceText, type SpokenMessage } from './messages.ts';

/** What is remembered of a thread from one turn to the next: the application sends its messages again each time. */
export interface ThreadMemory {
  /** The texts of the user that hooks rewrote, by what they were ({@link nameSaid}). */
  readonly rewritten: Map<string, string>;
  /** The files of the user that hooks changed. */
  readonly files: Map<string, Changed | undefined>;
  /** What was received and no model will answer: where one fails, the application sends it again. */
  readonly unanswered: ConstructorParameters<typeof Unanswered>[0];
}

type UserMessage = Extract<SpokenMessage, { role: 'user' }>;
type Changed = NonNullable<ReturnType<FileChanges['changed']['get']>>;

/**
 * The messages of one turn that no model or tool of it has made, on their way through the hooks: what the user says first, and what is added
 * or rewritten at a later step, by `prepareStep` or by steering.
 */
export class ReceivedMessages {
  readonly #turn: HostTurn;
  readonly #memory: ThreadMemory;
  readonly #unanswered: Unanswered;
  readonly #seen = new SeenMessages();
  /** The calls of this turn's answers, and of the messages that were seen. */
  readonly #callIds = new Set<string>();
  /** The texts of this turn's answers that have no calls. */
  readonly #answers = new Set<string>();
  /** What hooks made of messages that are not the user's, by what these were ({@link describeMessage}). */
  readonly #made = new Map<string, SpokenMessage[]>();

  constructor(turn: HostTurn, memory: ThreadMemory) {
    this.#turn = turn;
    this.#memory = memory;
    this.#unanswered = new Unanswered(memory.unanswered);
  }

  get hasChanges(): boolean {
    return this.#memory.rewritten.size + this.#memory.files.size + this.#made.size > 0;
  }

  /** A model has answered. */
  takeAnswer(text: string, callIds: readonly string[]): void {
    this.#unanswered.answer();
    for (const id of callIds) this.#callIds.add(id);
    if (callIds.length === 0) this.#answers.add(text);
  }

  /** No model has answered, and none will. */
  fail(): void {
    this.#unanswered.fail();
  }

  /** Whether any hook sees them, or a store takes them. */
  get #areWanted(): boolean {
    return this.#turn.takesMessages || this.#turn.has('before_user_message');
  }

  /** Which messages of a prompt are not of the turn so far. */
  findNewer(spoken: readonly SpokenMessage[]): readonly Novelty[] {
    if (!this.#areWanted) return [];
    const novelties = this.#seen.look(
      spoken.map((message) => ({
        role: message.role,
        key: describeMessage(message),
        isOwn: this.#isOwn(message),
      })),
    );
    for (const id of spoken.flatMap(listCallIds)) this.#callIds.add(id);
    return novelties;
  }

  /** Parts of it may have been left out or shortened since. */
  #isOwn(message: SpokenMessage): boolean {
    if (message.role === 'user') return false;
    const isAnswer = message.role === 'assistant' && this.#answers.has(readTexts(message));
    return isAnswer || listCallIds(message).some((id) => this.#callIds.has(id));
  }

  /** What the user says now: the messages of the user that the prompt ends with. @throws {MessageDeniedError} */
  async receiveLast(spoken: readonly SpokenMessage[]): Promise<void> {
    if (!this.#areWanted) return;
    const first = spoken.findLastIndex(({ role }) => role !== 'user') + 1;
    for (const [at, message] of spoken.entries()) {
      if (at < first || message.role !== 'user') continue;
      const files = await readFiles(listFiles(message));
      const key = [at, describeMessage(message), ...files.map(({ key: file }) => file)].join(' ');
      if (this.#unanswered.take(key) !== undefined) continue;
      await this.#receive(message, files, true);
      this.#unanswered.add(key, null);
    }
  }

  /** What has come since the last step, and what stands in the place of what was there. @throws {MessageDeniedError} */
  async receiveNewer(spoken: readonly SpokenMessage[], novelties: readonly Novelty[]): Promise<void> {
    for (const [at, message] of spoken.entries()) {
      const novelty = novelties[at] ?? 'known';
      if (novelty === 'known') continue;
      const isStored = novelty === 'added';
      if (message.role === 'user') {
        await this.#receive(message, await readFiles(listFiles(message)), isStored);
      } else await this.#passMade(message, isStored);
    }
  }

  /** @throws {MessageDeniedError} */
  async #receive(message: UserMessage, files: readonly SentFile[], isStored: boolean): Promise<void> {
    const content = readPromptText(message);
    const received = await hearUser(this.#turn, { content, files, isStored });
    if (received.isDenied) throw new MessageDeniedError(received.reason, received.userMessage);
    if (received.content !== content)
      this.#memory.rewritten.set(nameSaid(content, files), received.content ?? '');
    for (const [key, file] of received.changed) this.#memory.files.set(key, file);
  }

  async #passMade(message: SpokenMessage, isStored: boolean): Promise<void> {
    const lent = lendPrompt([message]);
    const passed = [];
    for (const { id, created_at, ...row } of lent.messages) {
      const made = await passRow(this.#turn, row, { isStored });
      passed.push({ ...row, ...made, id, created_at });
    }
    const [before, after] = [lent.messages, passed].map((rows) => rows.map(toLLMMessage));
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    this.#made.set(describeMessage(message), takePromptBack(after ?? [], lent) as SpokenMessage[]);
  }

  /** A message as hooks made it; nothing where they left nothing of it. */
  async change(message: SpokenMessage): Promise<readonly SpokenMessage[]> {
    if (message.role !== 'user') return this.#made.get(describeMessage(message)) ?? [message];
    const { rewritten, files } = this.#memory;
    if (rewritten.size + files.size === 0) return [message];
    const sent = await readFiles(listFiles(message));
    const text = rewritten.get(nameSaid(readPromptText(message), sent));
    const changed = { ...message, content: changeFiles(message.content, sent, { changed: files }) };
    return [text === undefined ? changed : replaceText(changed, text)];
  }
}

function listFiles({ content }: UserMessage): UserMessage['content'] {
  return content.filter(({ type }) => type === 'file');
}

/** Hooks see a text and the files beside it together: the same text beside other files is another one. */
function nameSaid(content: string | null, files: readonly SentFile[]): string {
  return JSON.stringify([content ?? '', ...files.map(({ key }) => key)]);
}
