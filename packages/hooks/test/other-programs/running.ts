import { languages } from './languages.ts';
import { launchers } from './launchers.ts';
import { lesserLaunchers } from './lesser-launchers.ts';
import { shellTexts } from './shell-texts.ts';
import { tools } from './tools.ts';
import { variables } from './variables.ts';

/** Lines on which a program that is no shell runs `rm`, by the kind of program. */
export const running: Readonly<Record<string, readonly string[]>> = {
  ...languages,
  ...tools,
  ...launchers,
  ...lesserLaunchers,
  ...shellTexts,
  ...variables,
};
