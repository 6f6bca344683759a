// Replay: runs recorded conversations through the hooks. `spec-hooks replay` calls it; it never asks a model or runs a tool.

import type { Command } from 'commander';
import { writeDetails } from '../help.ts';
import { addProjectOptions } from '../project/options.ts';
import type { ReplayFlags } from './run.ts';

const details = `
Examples:
  $ spec-hooks replay ~/.claude/projects --since 7d   Claude Code's sessions
  $ spec-hooks replay ~/.claude/projects --html report.html
  $ spec-hooks replay data.jsonl --diff         what hooks changed, word by word
  $ spec-hooks replay data.jsonl --hooks ./hooks     with the hooks of a folder
  $ spec-hooks replay                           a support agent, with redaction

Of a folder, rules and settings files judge each call; where there are none,
guards of its own. Nothing is started, imported or sent; what is shown is
redacted. Of files, hooks and commands really run, over OpenAI, AI SDK and
Claude Code conversations; models and tools are not called.

With --json:
  { "input": the names of all files, "db": string | null, "interrupted": boolean, "conversations": { "replayed", "there", "failed" },
    "messages": { "recorded", "stored" },
    "files": [{ "input", "conversations": as above, "messages": as above, "problems": count }],
    "model": { "calls", "characters" }, "hooksFrom": string | null,
    "hooks": [{ "hook", "id", "source", "runs", "changed", "outcomes": { "ok": number, … }, "ms" }],
    "problems": [{ "input"?, "place", "id"?, "reason" }], "ms",
    "bench"?: [{ "hook", "id", "count", "p50", "p99", "total" }],
    "changes"?: [{ "input"?, "place", "conversation", "changes": [{ "hook", "id", "outcome"?: "denied" | "asked",
                   "tool"?, "input"?, "reason"?, "changes": [{ "path", "before": string | null, "after": string | null }] }] }] }

Of the support agent: { "label", "db": string | null, "runs": [as spec-hooks log has them], "prompts": [what the model was sent],
    "stored": [messages], "said": [string], "ms" }

Of a folder, without --run-hooks: { "version": 1, "hooksFrom": string | null, "notImported": [file], "files", "sessions", "calls",
    "messages", "interrupted", "hooks": [{ "hook", "id", "source", "denied", "asked", "unknown" }],
    "redacted": { kind: count } | null, "found": count, "findings": [{ "hook", "id", "outcome": "denied" | "asked" | "unknown",
    "tool"?, "input"?, "reason"?, "session", "time" }], "unread": [{ "file", "line", "problem", "lines" }], "ms" }

Of several files, "input" of a problem or a change is the one that it is in. Times are milliseconds. "bench" comes with --bench, "changes" with
--diff. hooksFrom is null for the command's own hooks.

"tool" and "input" are the call, "input" its command, path or address; it and "reason" are redacted. A run that several entries share
has their ids in "id".

A file is told by its shape:
  OpenAI chat           one { "id", "messages" } a line, or a JSON array of them
  AI SDK                messages of a front end (UIMessage) or of a model (ModelMessage): a list of them, or { "id", "messages" };
                        one conversation a line, or one JSON document
  messages              one message a line, { "role", … }: the file is one conversation
  Claude Code sessions  the lines of session files; each subagent is a conversation of its own

The recorded assistant messages play the model, the recorded tool results play the tools: neither is called. Hooks really run,
and so do the commands of settings files. All hooks run everywhere, those too that only some agents name. --run-hooks does the same with
a folder, for which settings files and rules judge otherwise.

Several files are one replay, with one report. A conversation that is in two of them is replayed once; two
conversations with one id are a problem that names both places. One without an id is called by its file and its line.

Without --hooks and --config, the hooks are those that list shows: of the nearest hooks.config.ts, upwards from the working folder,
else of hooks/, .claude/settings.json, .claude/settings.local.json and hub.json in it; where there are none, the built-in redact and
limitMessages(20). The report says which ran.

More examples:
  $ spec-hooks replay conversations.jsonl            recorded conversations through the hooks of the project
  $ spec-hooks replay data.jsonl --config .claude/settings.json --config rules.yaml --trust
  $ spec-hooks replay recorded/*.jsonl               all files of a folder
  $ spec-hooks replay data.jsonl --fail-on-change    in CI: hooks should leave these conversations alone
  $ spec-hooks replay data.jsonl --bench             how long each hook took
  $ spec-hooks replay data.jsonl --db replay.db      into a file; run it again to finish an interrupted replay
  $ cat data.jsonl | spec-hooks replay - --json      from standard input, for machines

Exit code: 0 replayed or judged, 1 something could not be, a hook failed or --fail-on-change found something, 2 wrong usage,
130 interrupted.`;

/** `spec-hooks replay`: recorded conversations, or the demonstration, through hooks into a SQLite file. */
export function addReplayCommand(program: Command): void {
  const command = program
    .command('replay')
    .description('see what hooks would have done in recorded sessions')
    .argument('[transcripts...]', 'folders of sessions, files, or - for standard input')
    .option('--since <time>', 'of folders: only from then on, a date or an age such as 7d')
    .option('--last <count>', 'of folders: show so many findings, or all (default: 50)')
    .option('--html <file>', 'of folders: also write the findings as one page')
    .option('--run-hooks', 'run the hooks of folders too, and start their commands')
    .option('--diff', 'print what each hook changed, word by word')
    .option('--json', 'print the result as JSON')
    .option('--fail-on-change', 'exit with 1 where a hook changed, denied or asked')
    .option('--bench', 'print how long each hook took: p50, p99, total')
    .option('--no-hooks', 'run no hook')
    .option('--db <file>', 'store in this SQLite file (default: in memory)')
    .option('--keep', 'store in a new temporary SQLite file, which stays there');
  addProjectOptions(command, { hasFiles: true })
    .addHelpText('after', writeDetails(details))
    .action(async (files: readonly string[], flags: ReplayFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { chooseReplay } = await import('./choose.ts');
      process.exitCode = await chooseReplay(files, flags);
    });
}
