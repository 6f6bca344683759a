import { isRecord } from '@spec/hooks';
import type { HostAnswer, HostAsk } from '@spec/hooks/host';
import { showHidden, writeOut } from './hidden-characters.ts';
import type { Peer } from './peer.ts';
import type { Hello } from './upstream.ts';

/** How long the arguments of a call may be in a question. */
const MAX_SHOWN = 2_000;

/** How much of each long text in them is shown: the first length with which all of them fit. */
const BEGINNINGS = [Number.POSITIVE_INFINITY, 1_000, 500, 200, 100, 50];

const TOO_LONG =
  'The arguments of this call are too many or too long to be shown to a person, so nobody could allow it.';

/** The client to ask, and the time that a person has. */
export interface PersonAtClient {
  readonly hello: Hello | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  readonly during: string | number | undefined;
}

/** Asks the person at a client, by the elicitation of MCP. A client that cannot ask refuses, and says why. */
export async function askByElicitation(
  client: Peer,
  ask: HostAsk,
  { hello, timeout, during }: PersonAtClient,
): Promise<HostAnswer> {
  if (!canAsk(hello)) {
    const why = `${nameClient(hello)} cannot ask a person: it has no elicitation.`;
    return {
      allow: false,
      reason: ask.reason === undefined ? why : `${why} What was to be asked: ${ask.reason}`,
    };
  }
  const message = writeQuestion(ask);
  if (message === undefined) return { allow: false, reason: TOO_LONG };
  const params = { mode: 'form', message, requestedSchema: schema };
  const signal = ask.abortSignal;
  const { action, content } = await client.ask(
    { method: 'elicitation/create', params },
    { signal, timeout, total: timeout, during },
  );
  if (action === 'accept' && isRecord(content) && content.decision === ALLOW) return true;
  return { allow: false, reason: 'the person did not allow it.' };
}

const ALLOW = 'allow';

/** A client that fills in what it likes picks the first. */
const schema = {
  type: 'object',
  properties: { decision: { type: 'string', title: 'Decision', enum: ['deny', ALLOW], default: 'deny' } },
  required: ['decision'],
};

/** A client that says nothing of the kinds of elicitation has forms. */
function canAsk(hello: Hello | undefined): boolean {
  const { elicitation } = hello?.capabilities ?? {};
  if (!isRecord(elicitation)) return false;
  return elicitation.form !== undefined || Object.keys(elicitation).length === 0;
}

/** What the client calls itself. */
export function nameClient(hello: Hello | undefined): string {
  const info = hello?.clientInfo;
  return isRecord(info) && typeof info.name === 'string' ? info.name.slice(0, 100) : 'The client';
}

/** `undefined` where a person could not see what they are asked about. */
function writeQuestion(ask: HostAsk): string | undefined {
  const input = ask.about === 'tool_call' ? writeInput(ask.input) : '';
  if (input === undefined) return undefined;
  const about = ask.about === 'tool_call' ? `The tool ${writeName(ask.tool)} is called with:\n${input}` : '';
  const said = [ask.userMessage, ask.reason].filter((text) => text !== undefined);
  const why = said.map((text) => showHidden(text) ?? text);
  return ['A hook asks whether this call may run.', ...why, about].filter(Boolean).join('\n\n');
}

/** How much of the name of a tool is shown. */
const MAX_NAME = 200;

/** A server names its tools as it likes: a name must not look like a line of the question, nor like more of its sentence. */
function writeName(name: string): string {
  if (/^[\w./:-]+$/.test(name) && name.length <= MAX_NAME) return name;
  const begun = name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}…`;
  const line = begun.replace(/[\n\r\t\u2028\u2029"]/g, writeOut);
  return `"${showHidden(line) ?? line}"`;
}

/** A person sees every field and the beginning of each text, also what hides itself: no field can push another out of sight. */
function writeInput(input: unknown): string | undefined {
  for (const length of BEGINNINGS) {
    const json = JSON.stringify(input, (_, value: unknown) => cutText(value, length), 2) ?? '';
    const shown = writeSeparators(showHidden(json) ?? json);
    if (shown.length <= MAX_SHOWN) return shown;
  }
  return undefined;
}

/** JSON has line breaks written out, but for these two. */
function writeSeparators(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

function cutText(value: unknown, length: number): unknown {
  if (typeof value !== 'string' || value.length <= length) return value;
  return `${value.slice(0, length)} … and ${value.length - length} more characters`;
}
