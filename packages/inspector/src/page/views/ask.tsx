import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { EarlierAnswers, ShownAsk } from '../../asks.ts';
import { ask as askServer, makeLink, makePath, useAsked } from '../lib/ask.ts';
import { describeAsk, useOpenAsks } from '../lib/asks.ts';
import type { AskFailure } from '../lib/failure.ts';
import { formatDuration } from '../lib/texts.ts';
import { Foreign } from '../parts/foreign.tsx';
import { OutcomeWord } from '../parts/outcome.tsx';
import { Scroll } from '../parts/rows.tsx';
import { Empty, Waiting } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';

interface AskViewProps {
  readonly thread: string;
  readonly id: string;
}

/** A question that waits for a person: all that would happen, and two answers. */
export function AskView({ thread, id }: AskViewProps): JSX.Element {
  const asks = useOpenAsks();
  const found = asks?.find((one) => one.id === id && one.threadId === thread);
  const answered = useSignal<boolean | undefined>(undefined);
  if (answered.value !== undefined)
    return (
      <Empty title={answered.value ? 'Allowed' : 'Denied'}>
        <p>The turn goes on.</p>
        <p>
          <a class="button" href={makeLink(['t', thread])}>
            To the conversation
          </a>
        </p>
      </Empty>
    );
  if (asks === undefined) return <Waiting />;
  if (found === undefined)
    return (
      <Empty title="Nobody waits for this answer">
        <p>It was answered, the turn was stopped, or its process ended.</p>
      </Empty>
    );
  return (
    <Question
      key={found.digest}
      ask={found}
      onAnswer={(allow) => {
        answered.value = allow;
      }}
    />
  );
}

interface QuestionProps {
  readonly ask: ShownAsk;
  readonly onAnswer: (allow: boolean) => void;
}

function Question({ ask, onAnswer }: QuestionProps): JSX.Element {
  const { threadId, at, reason, userMessage, input, text } = ask;
  return (
    <Scroll class="sheet" label="Question">
      <header class="sheet-head">
        <h2>
          <Foreign text={describeAsk(ask)} />
        </h2>
        <span class="quiet">
          asked <Time at={at} /> on{' '}
          <a href={makeLink(['t', threadId])}>
            <Foreign text={threadId} class="id" />
          </a>
        </span>
      </header>
      {[userMessage, reason].map(
        (why) =>
          why !== undefined && (
            <p key={why} class="lead">
              <Foreign text={why} />
            </p>
          ),
      )}
      <h3>{ask.about === 'tool_call' ? 'What would run' : 'What would be sent'}</h3>
      <div class="asked-about">
        {ask.tool !== undefined && <Foreign text={ask.tool} class="call-name" />}
        {/* The whole of it: nobody allows what they did not see. */}
        <div class="block code">
          <Foreign text={text ?? (input === undefined ? '' : JSON.stringify(input, undefined, 2))} />
        </div>
      </div>
      <Answers ask={ask} onAnswer={onAnswer} />
      <Earlier ask={ask} />
    </Scroll>
  );
}

/** How the same was answered before on this thread. */
function Earlier({ ask: { threadId, id, tool } }: Pick<QuestionProps, 'ask'>): JSX.Element | null {
  const { data } = useAsked<EarlierAnswers>(makePath(['api', 'asks', threadId, id, 'earlier']), false);
  if (data === undefined || data.answers.length === 0) return null;
  return (
    <>
      <h3>
        Answered before{tool !== undefined && ' for '}
        <Foreign text={tool ?? ''} />
      </h3>
      <ul class="plain">
        {data.answers.map(({ at, ms, allowed }) => (
          <li key={at} class="earlier">
            <OutcomeWord outcome={allowed ? 'ok' : 'denied'} word={allowed ? 'allowed' : 'denied'} />
            <Time at={at} />
            <span class="quiet">after {formatDuration(ms)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** How long nobody can allow: a click that was meant for what stood here before is none. */
const unreadMs = 500;

type AnswerState = 'unread' | 'read' | 'sure' | 'sent';

interface Answering {
  readonly state: AnswerState;
  readonly failure: AskFailure | undefined;
  readonly answer: (allow: boolean, reason: string) => void;
  /** The first press asks for a second one. */
  readonly beSure: () => void;
}

function useAnswer({ ask: { threadId, id, digest }, onAnswer }: QuestionProps): Answering {
  const failure = useSignal<AskFailure | undefined>(undefined);
  const state = useSignal<AnswerState>('unread');
  useEffect(() => {
    const timer = setTimeout(() => {
      state.value = 'read';
    }, unreadMs);
    return () => clearTimeout(timer);
  }, []);
  return {
    state: state.value,
    failure: failure.value,
    beSure() {
      state.value = 'sure';
    },
    answer(allow, reason) {
      state.value = 'sent';
      askServer('/api/answers', { thread: threadId, id, digest, allow, reason: reason.trim() }).then(
        () => onAnswer(allow),
        (error: AskFailure) => {
          failure.value = error;
          state.value = 'read';
        },
      );
    },
  };
}

function Answers(props: QuestionProps): JSX.Element {
  const reason = useSignal('');
  const { state, failure, answer, beSure } = useAnswer(props);
  const deny = useRef<HTMLButtonElement>(null);
  useEffect(() => deny.current?.focus(), []);
  return (
    <div class="answers">
      <input
        type="text"
        aria-label="Why, for the model"
        placeholder="Why not? The model is told."
        value={reason.value}
        onInput={(event) => {
          reason.value = event.currentTarget.value;
        }}
      />
      <div class="answer-buttons">
        <button
          ref={deny}
          type="button"
          class="button is-main"
          disabled={state === 'sent'}
          onClick={() => answer(false, reason.value)}
        >
          Deny
        </button>
        <button
          type="button"
          class={state === 'sure' ? 'button is-sure' : 'button'}
          disabled={state === 'unread' || state === 'sent'}
          onClick={() => (state === 'sure' ? answer(true, reason.value) : beSure())}
        >
          {state === 'sure' ? 'Press again to allow' : 'Allow …'}
        </button>
      </div>
      <p role="status" class="note bad">
        {failure?.message}
      </p>
    </div>
  );
}
