import { RunError } from '@spec/hooks';
import { isAborted, unlessAborted } from '../aborted.ts';
import {
  isInclude,
  listParts,
  type PromptDefinition,
  type SystemFunction,
  type SystemPart,
} from '../definitions/prompt.ts';
import type { ThreadView } from '../thread/core.ts';

/**
 * A prompt's system message: its parts in order, one after the other, with a blank line between them. A part that is
 * blank is left out; an included prompt counts as one part. `''` where nothing is left.
 *
 * @throws {RunError} `invalid_result` where a part's function fails, without what it threw; `aborted`
 */
export function renderSystem(view: ThreadView, prompt: PromptDefinition): string | Promise<string> {
  const parts = listParts(prompt);
  if (parts.length === 0) return '';
  if (parts.length === 1 && typeof parts[0] === 'string') return parts[0];
  return renderParts(view, prompt, parts);
}

async function renderParts(
  view: ThreadView,
  prompt: PromptDefinition,
  parts: readonly SystemPart[],
): Promise<string> {
  const texts: string[] = [];
  for (const part of parts) texts.push(await renderPart(view, prompt, part));
  return texts.filter((text) => text.trim() !== '').join('\n\n');
}

async function renderPart(view: ThreadView, prompt: PromptDefinition, part: SystemPart): Promise<string> {
  if (typeof part === 'string') return part;
  if (!isInclude(part)) return callPart(view, prompt, part);
  const { prompts } = view.core.runtime.catalog;
  return renderSystem(view, prompts.get(part.include) as PromptDefinition);
}

async function callPart(
  view: ThreadView,
  { name }: PromptDefinition,
  render: SystemFunction,
): Promise<string> {
  const broken = (why: string): RunError =>
    new RunError(
      'invalid_result',
      `The system message of the prompt "${name}" could not be rendered: ${why}.`,
      { threadId: view.threadId },
    );
  const rendered: unknown = await unlessAborted(
    view.flow.abortSignal,
    'the system message was rendered',
    () => render(view),
  ).catch((error) => {
    throw isAborted(error) ? error : broken('its function failed');
  });
  if (typeof rendered !== 'string') throw broken('its function gave no string');
  return rendered;
}
