import type { ClaudeBlock, ClaudeLine } from './claude-lines.ts';
import { placeholder } from './placeholder.ts';
import { answerWithCall, emptyAnswer, type Said, type SaidAnswer, type SaidResult } from './said.ts';

/**
 * What was said on lines of a session. An answer of the model is written as several lines, a block each, under one message id:
 * they become one answer again. Left out: what the client writes itself (`isMeta`, errors of the service, summaries of what
 * stands before them).
 */
export function readSaidOfClaude(lines: readonly ClaudeLine[]): Said[] {
  const said: Said[] = [];
  const answers = new Map<string, SaidAnswer>();
  for (const line of lines) {
    const { type, message } = line;
    if (message === undefined || isClients(line, said)) continue;
    const blocks = readBlocks(message.content);
    if (type === 'user') addUser(said, blocks);
    else addBlocks(answerFor(message.id, said, answers), blocks);
  }
  return said;
}

function isClients(
  { isMeta, isApiErrorMessage, isCompactSummary }: ClaudeLine,
  said: readonly Said[],
): boolean {
  return isMeta === true || isApiErrorMessage === true || (isCompactSummary === true && said.length > 0);
}

function readBlocks(content: string | readonly ClaudeBlock[]): readonly ClaudeBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function answerFor(id: string | undefined, said: Said[], answers: Map<string, SaidAnswer>): SaidAnswer {
  const begun = id === undefined ? undefined : answers.get(id);
  if (begun !== undefined) return begun;
  const answer = emptyAnswer();
  said.push(answer);
  if (id !== undefined) answers.set(id, answer);
  return answer;
}

function addBlocks({ texts, calls }: SaidAnswer, blocks: readonly ClaudeBlock[]): void {
  for (const { type, text, id, name, input } of blocks) {
    if (type === 'text' && text !== undefined) texts.push(text);
    const isNew = id !== undefined && !calls.some((call) => call.id === id);
    if (type === 'tool_use' && isNew && name !== undefined) calls.push({ id, name, input });
  }
}

/** Results of tools are lines of the user, sometimes with a text behind them. */
function addUser(said: Said[], blocks: readonly ClaudeBlock[]): void {
  for (const one of blocks) if (one.type === 'tool_result') addResult(said, readResult(one));
  const text = blocks.flatMap(readText).join('\n');
  if (text !== '') said.push({ role: 'user', text });
}

function addResult(said: Said[], result: SaidResult): void {
  const answer = answerWithCall(said, result.callId);
  if (answer === undefined) said.push({ role: 'tool', ...result });
  else if (!answer.results.some(({ callId }) => callId === result.callId)) answer.results.push(result);
}

function readResult({ tool_use_id = '', content, is_error }: ClaudeBlock): SaidResult {
  const parts = Array.isArray(content) ? (content as readonly ClaudeBlock[]) : [];
  const text = typeof content === 'string' ? content : parts.flatMap(readText).join('\n');
  return { callId: tool_use_id, text, isError: is_error === true };
}

/** Pictures and documents leave a word in their place. */
function readText({ type, text }: ClaudeBlock): string[] {
  if (type === 'text') return text === undefined ? [] : [text];
  return type === 'tool_result' ? [] : [placeholder(type)];
}
