// Judge: says what hooks would have done in recorded sessions. `replay` calls it; it starts no command and imports no module.

import type { HookToolCall } from '@spec/hooks';
import { describeCall, redact, redacted } from './called.ts';
import { type RecordedEvent, readEvents } from './events.ts';
import type { FoundFile, UnreadFolder } from './find-files.ts';
import { type Finding, Findings } from './findings.ts';
import { type Given, type Judge, readGivenOfCall } from './judges.ts';

/** A file, or a line of it, that could not be read. */
export interface UnreadFile {
  readonly file: string;
  /** The first line; 0 for the whole file. */
  readonly line: number;
  readonly problem: string;
  /** How many lines of the file. */
  readonly lines: number;
}

export interface Judging {
  readonly files: readonly FoundFile[];
  /** The folders in which there may be more. */
  readonly unread: readonly UnreadFolder[];
  readonly judges: readonly Judge[];
  /** Whether what `redact` would replace is counted. */
  readonly redacts: boolean;
  /** Milliseconds since the epoch: what happened before is left out. */
  readonly since: number;
  /** So many findings are kept. */
  readonly most: number;
  readonly signal: AbortSignal;
  onProgress(bytes: number, calls: number): void;
}

/** What hooks would have done. */
export interface Judged {
  readonly findings: Findings;
  readonly sessions: number;
  readonly calls: number;
  readonly messages: number;
  /** How often `redact` would have replaced something, by its kind. */
  readonly redacted: Readonly<Record<string, number>>;
  readonly unread: readonly UnreadFile[];
  readonly interrupted: boolean;
}

/** Reads all files, the newest first, and asks everyone who judges. One line is held at a time. */
export async function judgeFiles(judging: Judging): Promise<Judged> {
  const work = new JudgeWork(judging);
  for (const file of judging.files) {
    if (judging.signal.aborted) break;
    await work.readFile(file);
  }
  return work.end();
}

/** So many ids of calls are remembered: sessions that go on in a new file repeat what was before. */
const REMEMBERED = 100_000;
/** So many calls may wait for their results. */
const OPEN = 1_000;
/** Longer texts of tools are looked at in pieces of so many characters. */
const PIECE = 65_536;

class JudgeWork {
  readonly #judging: Judging;
  readonly #findings: Findings;
  readonly #sessions = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #open = new Map<string, HookToolCall>();
  readonly #redacted: Record<string, number> = {};
  readonly #unread: UnreadFile[];
  #counts = { calls: 0, messages: 0, bytes: 0 };

  constructor(judging: Judging) {
    this.#judging = judging;
    this.#unread = judging.unread.map(({ path, problem }) => ({ file: path, line: 0, problem, lines: 1 }));
    this.#findings = new Findings(judging.judges, judging.most);
  }

  async readFile(file: FoundFile): Promise<void> {
    const { since, signal, onProgress } = this.#judging;
    const onBytes = (count: number): void => {
      this.#counts.bytes += count;
      onProgress(this.#counts.bytes, this.#counts.calls);
    };
    let problem: UnreadFile | undefined;
    try {
      for await (const one of readEvents(file, onBytes)) {
        if (signal.aborted) break;
        if ('problem' in one)
          problem = { ...(problem ?? { file: file.path, ...one }), lines: (problem?.lines ?? 0) + 1 };
        else if (one.at >= since) await this.#judge(one);
      }
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === undefined) throw error;
      problem = { file: file.path, line: 0, problem: `it cannot be read (${code})`, lines: 1 };
    }
    if (problem !== undefined) this.#unread.push(problem);
  }

  async #judge(event: RecordedEvent): Promise<void> {
    this.#sessions.add(event.session);
    if (event.kind === 'call') await this.#judgeCall(event);
    else if (event.kind === 'message') await this.#judgeMessage(event);
    else await this.#judgeResult(event);
  }

  async #judgeCall(event: Extract<RecordedEvent, { kind: 'call' }>): Promise<void> {
    const { call, cwd } = event;
    const key = makeKey(event, call.id);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#open.set(key, call);
    forgetOldest(this.#seen, REMEMBERED);
    forgetOldest(this.#open, OPEN);
    this.#counts.calls++;
    this.#countRedacted(call.function.arguments);
    await this.#ask(readGivenOfCall(call, cwd), event, () => describeCall(call));
  }

  async #judgeMessage(event: Extract<RecordedEvent, { kind: 'message' }>): Promise<void> {
    const { role, text } = event;
    this.#counts.messages++;
    this.#countRedacted(text);
    if (role !== 'user') return;
    const given: Given = { hook: 'before_user_message', args: [{ role, content: text }] };
    await this.#ask(given, event, () => ({ input: redacted(text) }));
  }

  async #judgeResult(event: Extract<RecordedEvent, { kind: 'result' }>): Promise<void> {
    const { callId, text, isError } = event;
    const key = makeKey(event, callId);
    const call = this.#open.get(key);
    if (call !== undefined || !this.#seen.has(key)) this.#countRedacted(text);
    this.#open.delete(key);
    if (call === undefined) return;
    const given: Given = isError
      ? { hook: 'after_tool_call_failure', args: [call, { status: 'error', error: text }] }
      : { hook: 'after_tool_call_success', args: [call, { status: 'success', result: text }] };
    await this.#ask(given, event, () => describeCall(call));
  }

  async #ask(
    given: Given,
    { session, at }: RecordedEvent,
    describe: () => Pick<Finding, 'tool' | 'input'>,
  ): Promise<void> {
    for (const judge of this.#judging.judges) {
      if (judge.hook !== given.hook) continue;
      const { hook, id } = judge;
      const judgement = await judge.judge(given);
      if (judgement === undefined) continue;
      const { outcome, reason } = judgement;
      const time = new Date(at).toISOString();
      this.#findings.add(judge, outcome, () => ({
        hook,
        id,
        outcome,
        ...describe(),
        ...(reason === undefined ? {} : { reason: redacted(reason) }),
        session,
        time,
      }));
    }
  }

  #countRedacted(text: string): void {
    if (!this.#judging.redacts) return;
    for (let start = 0; start < text.length; start += PIECE) {
      const piece = text.slice(start, start + PIECE);
      for (const [kind, count] of countKinds(redact(piece))) {
        const before = countKinds(piece).get(kind) ?? 0;
        if (count > before) this.#redacted[kind] = (this.#redacted[kind] ?? 0) + count - before;
      }
    }
  }

  end(): Judged {
    const { calls, messages } = this.#counts;
    return {
      findings: this.#findings,
      sessions: this.#sessions.size,
      calls,
      messages,
      redacted: this.#redacted,
      unread: this.#unread,
      interrupted: this.#judging.signal.aborted,
    };
  }
}

/** Ids of services are unique; short ones are numbers within their conversation. */
function makeKey({ session }: RecordedEvent, id: string): string {
  return id.length < 16 ? `${session} ${id}` : id;
}

function forgetOldest(
  all: { readonly size: number; keys(): Iterable<string>; delete(key: string): boolean },
  most: number,
): void {
  if (all.size <= most) return;
  for (const key of all.keys()) {
    all.delete(key);
    return;
  }
}

/** The placeholders in a text, by what they stand for. */
function countKinds(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, label = ''] of text.matchAll(/\[([A-Z][A-Z_]*)_\d+\]/g)) {
    const kind = label.toLowerCase();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
