import { languageLines } from './languages.ts';
import { launcherLines } from './launchers.ts';
import { lesserLauncherLines } from './lesser-launchers.ts';
import { shellTextLines } from './shell-texts.ts';
import { toolLines } from './tools.ts';
import { variableLines } from './variables.ts';

/** Lines on which a program that is no shell runs `rm`, by the kind of program. */
export const running: Readonly<Record<string, readonly string[]>> = {
  ...languageLines,
  ...toolLines,
  ...launcherLines,
  ...lesserLauncherLines,
  ...shellTextLines,
  ...variableLines,
};
