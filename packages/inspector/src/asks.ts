// What is sent of questions that wait for a person.

/** A question that waits for a person. */
export interface OpenAsk {
  readonly id: string;
  readonly threadId: string;
  /** Microseconds since the epoch. */
  readonly at: number;
  readonly about: 'tool_call' | 'user_message' | 'model_call';
  /** Why it is asked. */
  readonly reason?: string;
  /** What a hook wants the person to read. */
  readonly userMessage?: string;
  /** Of a call: its id, its tool, and the arguments that the tool will get. */
  readonly toolCallId?: string;
  readonly tool?: string;
  readonly input?: unknown;
  /** Of a message. */
  readonly text?: string;
  /** Of a call of a model. */
  readonly model?: string;
}

/** A question as the page gets it. */
export interface ShownAsk extends OpenAsk {
  /** Tells the question from another one: it goes back with the answer. */
  readonly digest: string;
}

/** How a question like this one was answered before. */
export interface EarlierAnswer {
  /** Microseconds since the epoch. */
  readonly at: number;
  /** How long it was waited for. */
  readonly ms: number;
  readonly allowed: boolean;
}

export interface EarlierAnswers {
  readonly answers: readonly EarlierAnswer[];
}

export interface AskList {
  readonly asks: readonly ShownAsk[];
}
