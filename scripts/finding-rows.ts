// What each finding about a settings file means, and each exit code of the command: prose of docs/error-codes.md.
import type { exitCodes } from '../packages/cli/src/exit-codes.ts';
import type { Explained } from './error-rows.ts';

export const findingRows: Readonly<Record<string, Explained>> = {
  agent_without_tools: {
    means: 'An `agent` hook is asked as a `prompt` hook is, without tools.',
    remedy: 'Check that its prompt can be answered so.',
  },
  agent_unproven: {
    means:
      'Hooks are installed in a coding agent, and nothing shows that they run there, or they run slowly.',
    remedy: 'Do what the message says: agents skip hooks that nobody has reviewed without a word.',
  },
  bad_environment: {
    means: 'A variable of the format has a value that is not allowed, and is ignored.',
    remedy: 'Correct or remove the variable.',
  },
  bad_json: {
    means: 'The file is not JSON. None of its hooks is loaded.',
    remedy: 'Correct it at the place named.',
  },
  bad_shape: {
    means: 'An entry does not have the form of its format. It is left out.',
    remedy: 'Write it as the message shows.',
  },
  bad_value: {
    means: 'A key has a value that is not allowed. The entry is left out.',
    remedy: 'Correct the value.',
  },
  bash_only: {
    means: '`sh` runs a line that only bash understands.',
    remedy: 'Write it for `sh`, or move it into a bash script.',
  },
  cannot_block: {
    means: 'The entry says that its failure blocks, on an event that cannot block.',
    remedy: 'Remove the key or move the entry.',
  },
  context_limit: {
    means: 'The entry asks for another limit of what it may tell the model than there is here.',
    remedy: 'Nothing: the rest is kept in a file.',
  },
  cut_at_slashes: {
    means: 'Cursor takes // for a comment, also inside of a command. Here the command runs whole.',
    remedy: 'Put the command into a script.',
  },
  default_behavior: {
    means: 'The file does not say what a failure does, so the default of the format holds: it denies.',
    remedy: 'Nothing, or write the behaviour you want.',
  },
  disabled: {
    means: 'A setting or a variable switches the hooks of the file off.',
    remedy: 'Remove it, if you want them.',
  },
  duplicate_key: { means: 'A key stands twice in one object; only the last counts.', remedy: 'Remove one.' },
  environment: {
    means: 'A variable is set and beats what the file says.',
    remedy: 'Unset it, if the file should count.',
  },
  fails_open: {
    means:
      'If this guard fails or times out, what it guards goes ahead. It is a risk where the format says so.',
    remedy: 'Harden it as the message says, or accept it.',
  },
  matcher_ignored: {
    means: 'The event has no matcher: the entry always runs.',
    remedy: 'Remove the matcher.',
  },
  no_version: {
    means: 'The agent whose file this is refuses it without a version. Its hooks run here.',
    remedy: 'Add it.',
  },
  never_asked: {
    means: 'An entry can never be asked under these options.',
    remedy: 'Add the host to `allowedHosts` or the variable to `pass`.',
  },
  never_matches: {
    means: 'A matcher or an `if` never fits, by the names that the program of the format has.',
    remedy: 'Correct it as the message says; name tools of your own under `tools` in `hooks.config.ts`.',
  },
  never_named: {
    means: 'No agent or prompt names the hook, so it never runs.',
    remedy: 'Name it, or make it a policy.',
  },
  never_runs: {
    means: 'The entry has an `if` on an event without tools.',
    remedy: 'Move the entry or remove the `if`.',
  },
  no_command: { means: 'The entry has no command. It is left out.', remedy: 'Add one, or remove the entry.' },
  no_file: { means: 'The file does not exist, so it has no hooks.', remedy: 'Nothing, if that is right.' },
  no_hooks: { means: 'The file has no hooks.', remedy: 'Nothing, if that is right.' },
  no_hooks_key: {
    means:
      'Events stand at the top of the file, beside or in place of `hooks`. Formats with flat entries read them there; the format of Claude Code does not.',
    remedy: 'Move them into `hooks`.',
  },
  no_rewake: {
    means: 'A background hook does not wake the model with what it finds.',
    remedy: 'Remove `asyncRewake`, and the turn waits for it.',
  },
  no_such_command: {
    means: 'A command names a program that does not exist.',
    remedy: 'Install it, or correct its name.',
  },
  no_such_script: {
    means: 'A command names a script that does not exist.',
    remedy: 'Write it, or correct the path.',
  },
  no_such_tool: {
    means: 'A matcher matches none of the configured tools.',
    remedy: 'Correct the matcher, or the list `tools` in `hooks.config.ts`.',
  },
  not_executable: {
    means: 'A script cannot be executed.',
    remedy: 'Run `chmod +x`, or start it by its interpreter.',
  },
  once: { means: 'The hook runs once in a session.', remedy: 'Nothing, if that is right.' },
  other_case: {
    means:
      'A matcher names a tool in another case than Claude Code has it, and the tools of the project are not configured.',
    remedy: 'Correct the name, or name your tools under `tools` in `hooks.config.ts`.',
  },
  part_never_matches: {
    means: 'One name of a matcher never fits; the others do.',
    remedy: 'Correct or remove the name.',
  },
  rule: {
    means: 'A rule depends on something that its format leaves open.',
    remedy: 'Write it as the message shows.',
  },
  rules_not_taken: {
    means: 'The file has rules that nothing takes.',
    remedy: "Load it with `rules: 'hand-over'` and give them to `loadRules`.",
  },
  switch_not_read: {
    means: 'A key switches off single hooks in a way that is not documented. They run here all the same.',
    remedy: 'Take the hooks out of the file, if you do not want them.',
  },
  suspicious_timeout: {
    means: 'A timeout looks like seconds where milliseconds count, or the other way round.',
    remedy: 'Write the number in the message.',
  },
  timeout_cut: {
    means: 'A timeout is longer than the format allows, and is cut.',
    remedy: 'Write a shorter one.',
  },
  trust_changed: {
    means:
      'The hooks of the file, or code that they run, changed since the file was trusted. None runs, and what they guard is denied.',
    remedy: 'Look at the change, then run `spec-hooks trust`.',
  },
  unclear_failure: {
    means: 'The format says two things about what a failure of this entry does.',
    remedy: 'Write `continueOnError: false` if it should block.',
  },
  unknown_dialect: {
    means: 'The format of the file is not known.',
    remedy: 'Name it by a key `dialect` at the top.',
  },
  unknown_event: { means: 'There is no such event.', remedy: 'Write the one that the message suggests.' },
  unknown_key: {
    means: 'There is no such key, and it does nothing.',
    remedy: 'Write the one that the message suggests, or remove it.',
  },
  unknown_variable: {
    means: 'The command uses a variable that is not set for hooks.',
    remedy: 'Read the value from standard input.',
  },
  unreachable_rule: {
    means: 'A rule can never decide, because one before it always does.',
    remedy: 'Move or remove it.',
  },
  unread_output: {
    means: 'The command prints an answer that its format does not read.',
    remedy: 'Answer as the message shows.',
  },
  unreadable_file: {
    means: 'The file cannot be read, is no regular file or is larger than 1 MB.',
    remedy: 'Correct that. None of its hooks is loaded.',
  },
  unseen_script: {
    means: 'Trust does not cover some code that the entry runs.',
    remedy: '[Trust](trust.md) says which code, and how to change that.',
  },
  unsupported_event: {
    means: 'The event has no place in this runtime. Its hooks do not run.',
    remedy: 'Remove them, or accept it.',
  },
  unsupported_handler: {
    means: 'The entry is of a kind that is not run here. It is left out.',
    remedy: 'Write it as a command.',
  },
  untrusted: {
    means: 'Nobody has trusted the file. None of its hooks runs, and what they guard is denied.',
    remedy: 'Look at it and its scripts, then run `spec-hooks trust`.',
  },
  withheld_variable: {
    means: 'The command uses a variable that is not handed on to commands.',
    remedy: 'Name it in `pass`, if the command may see it.',
  },
};

export const exitRows: Readonly<Record<keyof typeof exitCodes, string>> = {
  fine: 'Nothing is wrong.',
  findings: 'There are findings, or something failed.',
  wrongUsage: 'The command was used wrongly.',
  denied: '`spec-hooks run`: the event was denied.',
  asked: '`spec-hooks run`: a person would be asked.',
  interrupted: 'Ctrl-C ended it.',
};
