// What every contender does in a turn: a question, one tool call, a result of 200 bytes, an answer; and the four hooks as bare functions.

/** How many messages a model is shown. */
export const WINDOW = 20;

export const TOOL = 'get_order';
export const QUESTION = 'Where is my order 1042? It was to be here on Monday, and nothing has come.';
export const INPUT = { order: 1_042 };
export const ANSWER =
  'Order 1042 left Hamburg on Friday and should be with you on Tuesday. The 49.90 were charged to your card.';

/** 200 bytes, with a card number. */
export const RESULT: string = makeResult(200);

function makeResult(bytes: number): string {
  const order = { order: 1_042, status: 'shipped', carrier: 'post', paid: '4111 1111 1111 1111', note: '' };
  const missing = bytes - JSON.stringify(order).length;
  const note = 'Parcel handed to the carrier; the customer was told by mail. '.repeat(3).slice(0, missing);
  return JSON.stringify({ ...order, note });
}

const card = /\b(?:\d{4}[- ]?){3}\d{4}\b/g;

export function redacted(text: string): string {
  return text.replace(card, '[CARD]');
}

export function newest<Message>(messages: readonly Message[]): Message[] {
  return messages.slice(-WINDOW);
}

/** Where a message was made, as JSON text: what `stampMetadata` writes. */
export function stamp(turnId: string, step: number): string {
  return JSON.stringify({ flow_id: turnId, step, side: 'a' });
}

const entries: unknown[] = [];

/** Keeps the newest thousand. */
export function log(entry: unknown): void {
  if (entries.push(entry) === 1_000) entries.length = 0;
}
