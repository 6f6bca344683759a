import { MAX_DECISION_ROUNDS, type NewMessage, RunError, type Verdict } from '@spec/hooks';
import type { Ended } from '../engine/turn-result.ts';
import { askPerson } from '../permission/asks.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';
import { refuseDerivedId } from '../thread/ids.ts';
import { hasFiles, keepFilesInside, refuseLostFiles, storeAttachments } from '../writes/attached-files.ts';
import { hasContexts, mergeInTurn } from '../writes/contexts.ts';
import { passCreateChain } from '../writes/messages.ts';
import { notify } from '../writes/notifications.ts';
import { findById } from '../writes/taken-ids.ts';

/** A message of the user that a turn may begin with. */
export interface Admitted {
  /** The message and the contexts that hooks gave with it, as they will be stored. */
  readonly messages: readonly StoredMessage[];
  /** Why it is refused; then nothing is stored. */
  readonly refusal?: string;
  /** What a hook wants the person to read. */
  readonly userMessage?: string;
}

/**
 * Shows a user's message to `before_user_message`, and sends it through its create chain (design §7.1, step 1). All of
 * this comes before an engine gets to see the message (§7.4).
 */
export async function admitMessage(asking: ThreadView, input: NewMessage): Promise<Admitted> {
  const { core, flow } = asking;
  if (input.id !== undefined) await refuseTakenId(asking, input.id);
  const { isRemote } = core.engine;
  if (flow.isNamed && !isRemote) await refuseTakenTurn(asking); // An engine elsewhere knows the turn.
  const view = asking.at(flow.identifyPlace('user', flow.isNamed)); // A turn under a caller's id may be sent again after a crash.
  const { verdict, refusal } = await decideMessage(view, input);
  const { subject, context, userMessage } = verdict;
  if (refusal !== undefined)
    return userMessage === undefined ? { messages: [], refusal } : { messages: [], refusal, userMessage };
  if (verdict.decision === 'ask') core.refuseMessages(); // A person may have taken hours.
  const id = subject.id ?? view.flow.idOf('user');
  if (hasFiles(subject)) await refuseLostFiles(view, subject, id);
  const passed = await passCreateChain(view, subject, id);
  const messages = [isRemote || hasFiles(passed) ? await takeFiles(view, passed) : passed];
  if (context.length > 0 || hasContexts(view)) {
    const telling = await mergeInTurn(view, context);
    const { content } = telling;
    view.flow.telling = telling;
    if (content !== null) {
      const draft = { role: 'user', content } as const;
      messages.push(await passCreateChain(view.ofHooks(), draft, view.flow.idOf('context')));
    }
  }
  for (const { id } of messages) if (!id.startsWith(flow.prefix)) await refuseTakenId(view, id); // Hooks took their time.
  return userMessage === undefined ? { messages } : { messages, userMessage };
}

/** Where turns run elsewhere, the files go there in the message. */
function takeFiles(view: ThreadView, message: StoredMessage): Promise<StoredMessage> {
  return view.core.engine.isRemote ? keepFilesInside(view, message) : storeAttachments(view, message);
}

export function deniedBy({ refusal: reason = '', messages: _, ...forPerson }: Admitted): Ended {
  return { status: 'denied', text: null, reason, ...forPerson };
}

interface DecidedMessage {
  readonly verdict: Verdict<NewMessage>;
  readonly refusal: string | undefined;
}

/** A yes covers only the text that the person saw; hooks added meanwhile are asked too. */
async function decideMessage(view: ThreadView, input: NewMessage): Promise<DecidedMessage> {
  let allowed: string | null | undefined;
  for (let round = 0; ; round++) {
    const { runtime, scope } = view.core;
    const verdict = await runtime.executor.run('before_user_message', scope, view, input);
    const { decision, userMessage, subject } = verdict;
    const asks = decision === 'ask' && subject.content !== allowed;
    if (userMessage !== undefined && decision !== 'ask')
      await notify(view, { kind: 'notice', message: userMessage });
    if (decision === 'ask' && !asks) return { verdict, refusal: undefined };
    const refusal = decision === null || decision === 'allow' ? undefined : await findRefusal(view, verdict);
    if (!asks || refusal !== undefined || view.core.scope === scope) return { verdict, refusal };
    if (round === MAX_DECISION_ROUNDS)
      return { verdict, refusal: 'The hooks that decide changed again and again.' };
    allowed = subject.content;
  }
}

/** A turn that ran has an outcome; an unfinished turn is named in the thread's record. @throws {RunError} `invalid_input` */
async function refuseTakenTurn({ core, flow }: ThreadView): Promise<void> {
  const id = flow.idOf('user');
  if ((await core.store.getMessage(core.id, id)) === null) return;
  const message = `The turn ${flow.flowId} cannot begin: its message ${id} is in the thread already. Give the turn another id.`;
  throw new RunError('invalid_input', message, { threadId: core.id });
}

/** Refuses an id that another message of the thread has, also one that waits. @throws {RunError} `invalid_input` */
export async function refuseTakenId({ core, flow }: ThreadView, id: string): Promise<void> {
  const isOfTurn = id.startsWith(flow.prefix);
  if (!isOfTurn) refuseDerivedId(id, core.id);
  const known = isOfTurn ? undefined : await findById(core, id);
  if (!isOfTurn && known === undefined) return;
  const whereItIs =
    known?.waitsAs !== undefined ? 'waits to be stored in the thread' : 'is in the thread already';
  const why = isOfTurn ? 'is one of those that the runtime gives in this turn' : whereItIs;
  const message = `A message cannot be sent: its id ${id} ${why}. To send once however often, give the turn an id: send(…, { id }).`;
  throw new RunError('invalid_input', message, { threadId: core.id });
}

async function findRefusal(
  view: ThreadView,
  { decision, by, reason, userMessage, subject }: Verdict<NewMessage>,
): Promise<string | undefined> {
  if (decision === 'deny') return reason ?? `denied by ${by}`;
  if (decision !== 'ask') return undefined;
  return askPerson(view, { about: 'user_message', text: subject.content ?? '', reason, userMessage });
}
