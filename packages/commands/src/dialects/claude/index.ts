// The dialect `claude`: reads its settings and its answers: `output.ts` has their fields, `opinion.ts` what they mean. The table of dialects in `load` lists it; it never starts a command.

import { checkOptionNames, type OptionNames } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import { dialectTraits } from '../../dialect-traits.ts';
import type { Dialect } from '../../normal-form.ts';
import { isNested } from '../nested/shape.ts';
import { claudeVariant } from './claude-variant.ts';
import { compileClaude } from './compile.ts';
import type { ClaudeOptions } from './options.ts';
import { privateFolder } from './output-cap.ts';
import { findBareEvents, readClaude } from './read.ts';
import type { Shared } from './shared.ts';
import type { ClaudeVariant } from './variant.ts';

export type { ClaudeOptions } from './options.ts';

const optionNames: OptionNames<ClaudeOptions> = {
  legacyVariables: true,
  outputDir: true,
  pluginDataDir: true,
  transcriptPath: true,
};

/** The dialect of Claude Code's settings files and plugins (design §8.1), with options of the operator. */
export function createClaude(options: ClaudeOptions = {}): Dialect {
  checkOptionNames('claude', options, optionNames);
  return { ...createVariant(claudeVariant, options), recognises: (content: JsonObject) => isNested(content) };
}

/** The dialect of another program that reads settings files of this form. Their shape does not tell them from Claude Code's. */
export function createVariant(variant: ClaudeVariant, options: ClaudeOptions = {}): Dialect {
  const shared: Shared = { variant, options, folder: privateFolder(options.outputDir) };
  return {
    ...dialectTraits[variant.name],
    name: variant.name,
    recognises: () => false,
    hasBareHooks: (content) =>
      variant.takesBareEvents === true && findBareEvents(content, variant).length > 0,
    read: (file) => readClaude(file, shared),
    compile: (entry) => compileClaude(entry, shared),
    strategy: () => 'parallel',
    close: shared.folder.remove,
  };
}

/** The dialect of Claude Code's settings files and plugins, as it is. */
export const claude: Dialect = createClaude();
