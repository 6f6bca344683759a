import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../../test/project-folder.ts';
import { loadSettings } from '../load-settings.ts';
import type { Finding } from '../normal-form.ts';

/** What is published for each agent, and each event that the facts about it name: it runs here, or is refused with the true reason. */

const shared = join(import.meta.dirname, '../../../../../shared');
const factsFile = join(shared, 'agents/wire-facts.md');
const configs = join(shared, 'data/hook-configs');
const isThere = existsSync(factsFile);
if (!isThere) console.log(`skipped: there are no facts about agents in ${factsFile}`);
const facts = isThere ? readFileSync(factsFile, 'utf8') : '';

/** The text from one heading to the next of its level. */
function readSection(number: number): string {
  return facts.split(/^## /m).find((text) => text.startsWith(`${number}. `)) ?? '';
}

const group = (entry: object) => ({ hooks: [{ type: 'command', ...entry }] });

interface AgentFacts {
  /** Its section of the facts. */
  readonly section: number;
  /** Where its hooks stand, so that the path says the format. */
  readonly file: string;
  readonly entry: object;
  /** The first columns of its tables that name events, or the sentence that does. */
  readonly events: RegExp;
  /** Events that do not stand there by their names. */
  readonly more?: string;
}

const agents: Readonly<Record<string, AgentFacts>> = {
  gemini: {
    section: 1,
    file: '.gemini/settings.json',
    entry: group({ command: 'true' }),
    events: /^\| ((?:Before|After|Session|PreC|Notif)[^|]*) \|/gm,
  },
  codex: {
    section: 2,
    file: '.codex/hooks.json',
    entry: group({ command: 'true' }),
    events: /Public schemas: ([^.]*)\./g,
  },
  cursor: {
    section: 3,
    file: '.cursor/hooks.json',
    entry: { command: 'true' },
    events: /^\| ((?:pre|post|before|after|session|stop|subagent|workspace)[^|]*) \|/gm,
  },
  copilot: {
    section: 4,
    file: '.github/hooks/all.json',
    entry: { bash: 'true' },
    events: /^\| ((?:pre|post|permission|user|session|agent|subagent|error|notif)[^|]*) \|/gm,
  },
  qwen: {
    section: 8,
    file: '.qwen/settings.json',
    entry: group({ command: 'true' }),
    events: /names plus ([^;]*);/g,
    more: 'PreToolUse PostToolUse PostToolUseFailure PostToolBatch PermissionRequest UserPromptSubmit SessionStart SessionEnd SubagentStart SubagentStop Stop PreCompact Notification UserPromptExpansion StopFailure PostCompact PermissionDenied InstructionsLoaded MessageDisplay',
  },
  factory: {
    section: 9,
    file: '.factory/settings.json',
    entry: group({ command: 'true' }),
    events: /Events 9: ([^.]*)\./g,
  },
};

function listEvents({ section, events, more = '' }: AgentFacts): string[] {
  const named = Array.from(readSection(section).matchAll(events), ([, text = '']) => text).join(' ');
  const names = `${named} ${more}`.replaceAll(/\([^)]*\)/g, ' ').match(/[A-Za-z]{4,}/g) ?? [];
  return [...new Set(names)];
}

const counts: Record<string, { loaded: number; refused: number }> = {};

describe.skipIf(!isThere)('each event of the facts', () => {
  test.each(Object.entries(agents))('of %s runs, or is refused with the reason', async (name, agent) => {
    const events = listEvents(agent);
    const hooks = Object.fromEntries(events.map((event) => [event, [agent.entry]]));
    const project = projectFolder({ [agent.file]: { version: 1, hooks } });
    const loaded = await loadSettings([join(project.path, agent.file)], {
      trust: 'all',
      projectDir: project.path,
    });
    await loaded.close();
    expect(loaded.files[0]).toMatchObject({ dialect: name, chosenBy: 'path' });
    const refused = loaded.findings.filter(({ level }) => level === 'error');
    counts[name] = { loaded: loaded.entries.length, refused: refused.length };
    expect(loaded.entries.length + refused.length).toBe(events.length);
    // An event that the facts name is known; one without a place says what its hooks would have done.
    expect(refused.filter(({ code }) => code !== 'unsupported_event')).toEqual([]);
    for (const { message } of refused) expect(message).toMatch(/has no place in this runtime: it would have/);
  });

  test('are as many as the facts have', () => {
    console.log(`events of the facts: ${JSON.stringify(counts)}`);
    expect(counts).toEqual({
      gemini: { loaded: 10, refused: 1 },
      codex: { loaded: 10, refused: 2 },
      cursor: { loaded: 15, refused: 6 },
      copilot: { loaded: 12, refused: 3 },
      qwen: { loaded: 13, refused: 9 },
      factory: { loaded: 9, refused: 0 },
    });
  });
});

const errors = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ level }) => level === 'error')
    .map(({ code, position }) => `${code} ${position.path}`)
    .sort();

describe.skipIf(!existsSync(configs))('published configurations of these agents', () => {
  const own = existsSync(configs)
    ? readdirSync(configs).filter((name) => /__\.?(?:cursor|codex|gemini|qwen|factory|github)_/.test(name))
    : [];

  test('there is one, of Cursor; of the others none is there', () => {
    expect(own).toEqual(['affaan-m+everything-claude-code__.cursor_hooks.json']);
  });

  test.each(own)('%s: its hooks run, but for those of events without a place', async (name) => {
    const loaded = await loadSettings([{ file: join(configs, name), layer: 'user' }]);
    await loaded.close();
    expect(loaded.files[0]).toMatchObject({ dialect: 'cursor', chosenBy: 'shape' });
    expect(loaded.entries).toHaveLength(13);
    expect(errors(loaded.findings)).toEqual([
      'unsupported_event hooks.afterTabFileEdit',
      'unsupported_event hooks.beforeTabFileRead',
      'unsupported_event hooks.subagentStart',
    ]);
    console.log(
      `${basename(name)}: ${loaded.entries.length} hooks run, ${errors(loaded.findings).length} are refused`,
    );
  });
});
