import { findMisnamedTools } from '@spec/hooks';
import type { Catalog } from '../definitions/catalog.ts';
import { warn } from '../warn.ts';

/** Warns of hooks whose matcher names a tool of the runtime in another case or with other separators: they would never run for it. */
export function warnOfMisnamedTools({ registry, tools }: Catalog): void {
  for (const { id, hook, matcher } of registry.hooks.values())
    for (const { written, meant } of findMisnamedTools(matcher?.source ?? '', tools.keys()))
      warn(
        `Hook "${id}" (${hook}) never runs for "${written}", which its matcher names: no tool is called so. Did you mean "${meant}"?`,
        { type: 'HookWarning', code: 'TOOL_MISNAMED' },
      );
}
