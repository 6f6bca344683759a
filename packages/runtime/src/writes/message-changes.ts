import { type HookMessage, RunError } from '@spec/hooks';
import { hasPartFields } from '../answer-parts/index.ts';
import { keepIntact } from '../answer-parts/keep-intact.ts';
import { sayDropped } from '../answer-parts/say-dropped.ts';
import { checkFields, checkName } from '../given.ts';
import { readAnswer } from '../history/exchanges.ts';
import { compactionWithout } from '../history/stored-history.ts';
import { forgetTokens } from '../history/tokens.ts';
import { copyGiven, refuseRuntimeFields } from '../stores/message-fields.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { commit, underFence } from './commit.ts';
import { noteDeletedAnswer } from './deleted-answers.ts';
import { keepFirstVersion } from './first-versions.ts';
import { admitMessages } from './messages.ts';
import { isWrittenBefore, keepWriters } from './own-ids.ts';

/** Changes fields of a stored message, through `before_update_message`. @throws {RunError} `not_found`, `invalid_message` */
export async function updateMessage(
  view: ThreadView,
  id: string,
  updates: Record<string, unknown>,
): Promise<HookMessage> {
  const { core } = view;
  checkName('id of a message', id);
  checkFields('What is to change in a message', updates);
  const given = copyGiven(updates, core.id);
  await admitMessages(core);
  const { executor } = core.runtime;
  const stored = await core.store.getMessage(core.id, id);
  if (stored === null) throw noSuchMessage(core, id);
  refuseRuntimeFields(given, stored, core.id);
  const fields = await executor.run('before_update_message', core.scope, view, id, given);
  refuseRuntimeFields(fields, stored, core.id);
  if ('id' in fields && fields.id !== id) throw renamed(core, id);
  await keepFirstVersion(core, stored);
  const changes = hasPartFields(stored) ? withoutChangedParts(core, stored, fields) : fields;
  if ('role' in fields && fields.role !== stored.role) await keepWriters(view, stored);
  const message = await underFence(view, 'updateMessage', (fence) =>
    core.store.updateMessage(core.id, fence, { id, fields: changes }),
  );
  core.recent.forget();
  if (message === null) throw noSuchMessage(core, id);
  if ('content' in fields || 'tool_calls' in fields) forgetTokens(core);
  core.events.emit({ type: 'message_updated', message });
  await executor.run('after_update_message', core.scope, view, message);
  return message;
}

/** Deletes a message. A summary that ended with it ends with the one before it from then on, and stays in force. */
export async function deleteMessage(view: ThreadView, id: string): Promise<boolean> {
  const { core } = view;
  checkName('id of a message', id);
  core.refuseClosed();
  await core.lease.held();
  await noteDeletedAnswer(view, id);
  const compaction = await compactionWithout(core, id);
  if (compaction !== undefined) {
    await commit(view, 'deleteMessage', { thread: { compaction } });
    core.record.compaction = compaction;
  }
  const stored = await core.store.getMessage(core.id, id);
  if (stored !== null && isWrittenBefore(view, id)) await keepFirstVersion(core, stored);
  if (stored !== null) await keepWriters(view, stored);
  forgetTokens(core);
  const deleted = await underFence(view, 'deleteMessage', (fence) =>
    core.store.deleteMessage(core.id, fence, id),
  );
  core.recent.forget();
  return deleted;
}

/** The changes of an answer, and what becomes of the parts that its provider signed. */
function withoutChangedParts(
  core: ThreadCore,
  stored: StoredMessage,
  changes: Record<string, unknown>,
): Record<string, unknown> {
  const now = readAnswer({ ...stored, ...changes });
  const { fields, hasDropped } = keepIntact(now, readAnswer(stored));
  if (!hasDropped) return changes;
  sayDropped({ threadId: core.id, messageId: stored.id, what: 'is not stored' });
  return { ...changes, reasoning: undefined, provider_metadata: undefined, ...fields };
}

function noSuchMessage(core: ThreadCore, id: string): RunError {
  return new RunError('not_found', `Thread ${core.id} has no message ${id}.`, { threadId: core.id });
}

function renamed({ id: threadId }: ThreadCore, id: string): RunError {
  return new RunError('invalid_message', `The id of message ${id} cannot be changed.`, { threadId });
}
