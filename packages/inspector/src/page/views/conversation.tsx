import type { TurnCard } from '@spec/hooks';
import type { JSX } from 'preact';
import type { AboutInspector, ConversationPage, MessageRow, NamedRun, TurnPage } from '../../api.ts';
import { makeLink, makePath, useAsked } from '../lib/ask.ts';
import { useOpenAsks } from '../lib/asks.ts';
import { useConversation } from '../lib/conversation.ts';
import { type ConversationItem, listItems } from '../lib/conversation-items.ts';
import { formatCount, formatDuration, showControls } from '../lib/texts.ts';
import { readToolCalls, type ShownCall } from '../lib/tool-calls.ts';
import { Foreign, ForeignBlock } from '../parts/foreign.tsx';
import { HookLines } from '../parts/hook-lines.tsx';
import { Rows } from '../parts/rows.tsx';
import { Save } from '../parts/save.tsx';
import { Empty, Failed, NotNew, Waiting } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { WaitingAsks } from '../parts/waiting-asks.tsx';

interface ConversationProps {
  readonly thread: string;
  /** The message whose chain is shown beside. */
  readonly selected: string | undefined;
}

/** The messages as they are stored; under each what hooks did. */
export function ConversationView({ thread, selected }: ConversationProps): JSX.Element {
  const { loaded, failure, readOlder, readNewer, follow } = useConversation(thread, selected);
  const { data: turns } = useAsked<TurnPage>(makePath(['api', 'threads', thread, 'turns'], { size: '25' }));
  if (loaded === undefined) return failure === undefined ? <Waiting /> : <Failed failure={failure} />;
  if (loaded.messages.length === 0 && loaded.after.length === 0) return <NoMessages />;
  const items = listItems(loaded.messages, loaded.after);
  const target = items.findIndex((item) => item.kind === 'message' && item.message.id === selected);
  return (
    <div class="page">
      <ConversationHead thread={thread} />
      {failure !== undefined && <NotNew failure={failure} />}
      {isWithoutRuns(loaded) && <NoRecords />}
      <Rows
        label="Conversation"
        rows={items}
        draw={(item) => drawItem(item, { thread, selected, turns: turns?.items ?? [] })}
        isGrownAbove={loaded.isGrownAbove}
        followsEnd={!loaded.hasNewer}
        target={target < 0 ? undefined : target}
        onStart={readOlder}
        onEnd={readNewer}
        onFollow={follow}
      />
    </div>
  );
}

function isWithoutRuns({ messages, after, hasAllRuns }: ConversationPage): boolean {
  return (
    hasAllRuns && [...messages.flatMap(({ before, runs }) => [...before, ...runs]), ...after].length === 0
  );
}

function NoRecords(): JSX.Element {
  return (
    <p class="pane-note">
      No hook has left a record here: none was in scope, the runtime keeps no ledger, or it was pruned.
    </p>
  );
}

/** What waits for a person here, and the conversation as a file. */
function ConversationHead({ thread }: { readonly thread: string }): JSX.Element {
  const { data: about } = useAsked<AboutInspector>('/api/about', false);
  const asks = useOpenAsks()?.filter(({ threadId }) => threadId === thread);
  const path = (form: string): string => makePath(['api', 'export', 'threads', thread, form]);
  return (
    <>
      <div class="pane-head">
        <h2>
          <Foreign text={thread} class="id" />
        </h2>
        {about?.showsContent && (
          <>
            <Save path={path('html')} name="conversation.html">
              Save as a page
            </Save>
            <Save path={path('jsonl')} name="conversation.jsonl">
              JSON lines
            </Save>
          </>
        )}
      </div>
      <WaitingAsks asks={asks ?? []} />
    </>
  );
}

interface DrawnIn extends ConversationProps {
  readonly turns: readonly TurnCard[];
}

function drawItem(item: ConversationItem, { thread, selected, turns }: DrawnIn): JSX.Element {
  const { key } = item;
  if (item.kind === 'runs') return <LooseRuns key={key} runs={item.runs} />;
  if (item.kind === 'turn') {
    const card = turns.find(({ turnId }) => turnId === item.turn);
    return <TurnHead key={key} thread={thread} turn={item.turn} at={item.at} card={card} />;
  }
  const { message } = item;
  return <Message key={key} thread={thread} message={message} isSelected={message.id === selected} />;
}

/** Runs that were about no message that is stored; of one that a hook denied, they are all that is left. */
function LooseRuns({ runs }: { readonly runs: readonly NamedRun[] }): JSX.Element {
  const isDenied = runs.some(({ hook, outcome }) => hook === 'before_user_message' && outcome === 'denied');
  return (
    <div class="message between">
      <span class="role">{isDenied && 'user'}</span>
      <div>
        {isDenied && <p class="quiet">Denied: what the user said is not stored.</p>}
        <HookLines runs={runs} />
      </div>
    </div>
  );
}

interface TurnHeadProps {
  readonly thread: string;
  readonly turn: string;
  readonly at: number;
  readonly card: TurnCard | undefined;
}

function TurnHead({ thread, turn, at, card }: TurnHeadProps): JSX.Element {
  const end = card?.end;
  return (
    <div class="turn-head">
      <a class="turn-name" href={makeLink(['t', thread, 'turn', turn])}>
        turn
      </a>
      <Time at={at} />
      {end && (
        <span class="number">
          {formatDuration(end.ms)} · {showControls(end.status)}
        </span>
      )}
    </div>
  );
}

interface MessageProps {
  readonly thread: string;
  readonly message: MessageRow;
  readonly isSelected: boolean;
}

function Message({ thread, message, isSelected }: MessageProps): JSX.Element {
  const { id, role, content, contentSize, name, runs } = message;
  const calls = readToolCalls(message);
  return (
    <article class={`message is-${role}`}>
      <a
        class="role"
        data-row
        href={makeLink(['t', thread, 'm', id])}
        aria-current={isSelected ? 'true' : undefined}
      >
        {showControls(role)}
        {name !== null && <Foreign text={name} class="quiet" />}
      </a>
      <div class="body">
        {content !== null && content !== '' && <ForeignBlock text={content} size={contentSize} />}
        {content === '' && contentSize > 0 && (
          <p class="quiet">{formatCount(contentSize)} characters, not shown</p>
        )}
        {calls?.map((call) => (
          <Call key={call.id} call={call} />
        ))}
        {calls === undefined && (
          <ForeignBlock isCode text={message.toolCalls ?? ''} size={message.toolCallsSize} />
        )}
        <HookLines runs={runs} />
      </div>
    </article>
  );
}

/** A call with its arguments. */
export function Call({ call }: { readonly call: ShownCall }): JSX.Element {
  return (
    <div class="call">
      <span class="arrow" aria-hidden="true">
        →
      </span>
      <span class="unseen">calls </span>
      <Foreign text={call.name} class="call-name" />
      <Foreign text={call.input} class="code" />
    </div>
  );
}

function NoMessages(): JSX.Element {
  return (
    <Empty title="No messages">
      <p>
        Nothing was said on this thread yet, or it was all deleted. Sessions of coding agents are recorded
        without messages: their runs are in the log.
      </p>
    </Empty>
  );
}
