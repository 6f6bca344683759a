import type { AgentProfile } from '../agent.ts';
import { claudeCode } from './claude-code.ts';
import { readContentResult } from './content.ts';
import { MESSAGES_OF_ITS_OWN, NO_ANSWER, ownMessages } from './honours.ts';

/** Claude Code loads mods into a worker of its own, without Node; `spec-hooks bundle claude-mod` makes one. */
export const claudeMod: AgentProfile = {
  name: 'claude-mod',
  title: 'a Claude Code mod',
  known: { version: '2.1.330', date: '2026-11-26', how: 'read' },
  // The settings files of Claude Code are left to it.
  files: claudeCode.files,
  rewritesPrompts: true,
  honours: ownMessages(MESSAGES_OF_ITS_OWN, {
    after_system_message: {
      partly: 'when it fails, the model is called all the same, with the system message as it was.',
    },
    before_user_message: 'whole',
    before_tool_call: NO_ANSWER,
    before_permission_request: 'whole',
    after_tool_call_success: 'whole',
    after_tool_call_failure: 'whole',
    before_store_tool_result: 'whole',
    after_tool_batch: 'whole',
    before_stop: 'whole',
    before_compaction: 'whole',
    after_session_started: 'whole',
    after_session_ended: { partly: 'the agent waits 1.5 seconds.' },
    after_notification: 'whole',
  }),
  tools: {},
  limits: [
    'Read, not observed: Claude Code is closed, and nobody has run these hooks in it for this page. What mods can do is from its type declarations, which call themselves early access.',
    'A mod has no Node. A module that imports `node:fs`, or says `process` or `fetch`, is refused by its name, and so are rules, triggers and settings files: `spec-hooks install claude-code` runs these, in Node. Install one of the two for the same hooks, or both judge each event.',
    'The mod holds the hooks as they were when it was made: make it anew when they change. Claude Code, not `spec-hooks trust`, asks whether a mod may run.',
    'All hooks of one event have 9 seconds together, since Claude Code ends a mod after 10.',
    'Claude Code skips a mod that it cannot load. `bundle` loads the mod where there is nothing of Node before it writes it; `claude plugin validate` looks at it as Claude Code will.',
    'What hooks did is not in the ledger: a mod can write no file of ours. What they print goes nowhere.',
    'Another mod may change the arguments of a call after these hooks have judged it.',
  ],
  afterInstall: 'Start Claude Code 2.1.330 or newer with `--plugin-dir` and the folder of the mod.',
  wayOut: 'A person can switch the plugin spec-hooks off in /plugin, or start Claude Code without it.',
  readResult: readContentResult,
};
