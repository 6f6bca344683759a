import { checkOptionNames } from '@spec/hooks';
import { defineTrigger, type Trigger } from '../trigger.ts';

/** How tools say that they cut their output. */
const CUT =
  /\b(?:output|result|content|response)s? (?:was |were |has been |is )?(?:truncated|cut)\b|\[(?:\.\.\.|…)? ?truncated|<truncated|truncated (?:lines|output)|\.\.\. ?\[\d+ more/i;

/** How much of a long text is looked at, from each end, in characters. */
const EDGE = 4_096;

/** Warns when a tool's output was cut, since the missing part may matter. @param isCut whether a text was cut */
export function longOutputCut(
  options: { readonly isCut?: (text: string) => boolean } = {},
): Trigger<'tool_result'> {
  checkOptionNames('longOutputCut', options, { isCut: true });
  const { isCut = saysSo } = options;
  return defineTrigger({
    id: 'long_output_cut',
    on: 'tool_result',
    when: ({ use }) => isCut(use.text),
    message: ({ use }) =>
      `The output of ${use.name} was cut. Do not conclude from what is not there: ask for the rest in smaller pieces, or search in it.`,
  });
}

function saysSo(text: string): boolean {
  return CUT.test(text.length <= 2 * EDGE ? text : `${text.slice(0, EDGE)}\n${text.slice(-EDGE)}`);
}
