import { join } from 'node:path';

/** How one real agent is installed and run without a person, an account or a network. */
export interface AgentProgram {
  /** As `spec-hooks install` calls it. */
  readonly agent: string;
  readonly packageName: string;
  readonly version: string;
  /** Packages beside it, where npm cannot install all that it names: its archive holds a whole bundle, which needs only these. */
  readonly unpackedBeside?: readonly string[];
  /** The oldest Node that it runs on; without one it brings its own. */
  readonly node?: '22';
  /** Files of the home folder, by their paths. */
  files(setting: Setting): Readonly<Record<string, string>>;
  /** Started with these words. @param folder where its package is installed */
  start(folder: string, setting: Setting): readonly string[];
  env(setting: Setting): Readonly<Record<string, string>>;
}

export interface Setting {
  readonly home: string;
  readonly project: string;
  readonly port: number;
}

const PROMPT = 'do the thing';

export const programs: readonly AgentProgram[] = [
  {
    agent: 'codex',
    packageName: '@openai/codex',
    version: '0.169.0',
    files: ({ project, port }) => ({
      '.codex/config.toml': `model = "scripted"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[projects."${project}"]
trust_level = "trusted"
[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
`,
    }),
    start: (folder) => [
      join(folder, 'node_modules/.bin/codex'),
      ...['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', PROMPT],
    ],
    env: ({ home }) => ({ CODEX_HOME: join(home, '.codex'), FAKE_KEY: 'dummy' }),
  },
  {
    agent: 'gemini',
    packageName: '@google/gemini-cli',
    version: '0.61.0',
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    }),
    start: (folder) => [
      process.execPath,
      join(folder, 'node_modules/@google/gemini-cli/bundle/gemini.js'),
      ...['-m', 'gemini-2.5-flash', '--yolo', '-p', PROMPT],
    ],
    env: ({ port }) => ({
      GEMINI_API_KEY: 'dummy',
      GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
  },
  {
    agent: 'qwen',
    packageName: '@qwen-code/qwen-code',
    version: '0.24.4',
    node: '22',
    files: () => ({
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        model: { name: 'scripted' },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    }),
    start: (folder) => [
      join(folder, 'node_modules/.bin/node'),
      join(folder, 'node_modules/@qwen-code/qwen-code/cli-entry.js'),
      ...['--yolo', '-p', PROMPT],
    ],
    env: ({ port }) => ({
      OPENAI_API_KEY: 'dummy',
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_MODEL: 'scripted',
    }),
  },
  {
    agent: 'opencode',
    packageName: 'opencode-ai',
    version: '1.18.33',
    files: ({ port }) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        ...{ autoupdate: false, share: 'disabled', permission: { bash: 'allow' } },
        ...{ model: 'fake/scripted', small_model: 'fake/scripted' },
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'dummy' },
            models: { scripted: { tool_call: true, limit: { context: 100_000, output: 4_000 } } },
          },
        },
      }),
    }),
    start: (folder) => [join(folder, 'node_modules/.bin/opencode'), 'run', PROMPT],
    env: () => ({
      ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
      ...{ OPENCODE_DISABLE_LSP_DOWNLOAD: '1', OPENCODE_DISABLE_DEFAULT_PLUGINS: '1' },
      ...{ npm_config_offline: 'true', npm_config_registry: 'http://127.0.0.1:9/' },
    }),
  },
  {
    agent: 'pi',
    packageName: '@earendil-works/pi-coding-agent',
    version: '1.5.2',
    node: '22',
    unpackedBeside: ['jiti@2.7.0', 'typebox@1.3.27'],
    files: ({ port }) => ({
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          fake: {
            ...{ baseUrl: `http://127.0.0.1:${port}/v1`, api: 'openai-completions', apiKey: 'dummy' },
            models: [
              {
                ...{ id: 'scripted', name: 'scripted', reasoning: false, input: ['text'] },
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
                ...{ contextWindow: 100_000, maxTokens: 4_000 },
              },
            ],
          },
        },
      }),
    }),
    start: (folder) => [
      join(folder, 'node_modules/node/bin/node'),
      join(folder, 'package/dist/bundle/cli.js'),
      ...['--provider', 'fake', '--model', 'scripted', '--approve', '-p', PROMPT],
    ],
    env: () => ({ PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' }),
  },
];
