export type { KnownNames } from './claude-names.ts';
export { commandEntry } from './convert/command-entry.ts';
export type { ConvertedFile, ConvertedModules, ConvertOptions } from './convert/convert.ts';
export { convert } from './convert/convert.ts';
export type { Loss } from './convert/losses.ts';
export type { HookModule } from './convert/typescript.ts';
export { conditionCommand, dialectNames, dialectTraits } from './dialect-traits.ts';
export type { ClaudeOptions } from './dialects/claude/index.ts';
export type { NamedEvent } from './dialects/event-names.ts';
export { eventNamed, eventNames, whyUnsupported } from './dialects/event-names.ts';
export type { ServiceOptions } from './dialects/service/index.ts';
export type * from './entry-handler.ts';
export { isGate } from './gates.ts';
export { compileEntry } from './load/compile-entry.ts';
export type { EntryFiring, EntryOutlook } from './load/explain-entry.ts';
export { explainEntry } from './load/explain-entry.ts';
export type { Hardening } from './load/harden.ts';
export type { FileReport } from './load/report.ts';
export type {
  LoadedSettings,
  SettingsListeners,
  SettingsOptions,
  SettingsSource,
  SettingsWatch,
  WatchSettingsOptions,
} from './load-settings.ts';
export { loadSettings } from './load-settings.ts';
export type { Background } from './members/background.ts';
export { createBackground } from './members/background.ts';
export { commandHooks } from './members/command-hooks.ts';
export { isGuard } from './members/guards.ts';
export type { CommandOptions, CompiledFile } from './members/options.ts';
export type * from './normal-form.ts';
export type { CommandRunner, CommandRunnerOptions } from './run/command-runner.ts';
export { createCommandRunner } from './run/command-runner.ts';
export type { CommandOutcome, CommandResult, CommandStart, LaunchCode } from './run/run-command.ts';
export { runCommand } from './run/run-command.ts';
export type {
  HookService,
  HookServiceOptions,
  Notice,
  PostToolHookResult,
  PreToolHookResult,
  ToolOutcome,
} from './service/hook-service.ts';
export { createHookService } from './service/hook-service.ts';
export type { ParsedFile } from './settings-file.ts';
export { parseSettings } from './settings-file.ts';
export type { TrustFile, TrustStore } from './trust/store.ts';
export { trustStore } from './trust/store.ts';
export type { TrustOption } from './trust/trust.ts';
