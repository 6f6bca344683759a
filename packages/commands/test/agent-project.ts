import { join } from 'node:path';
import type { JsonObject } from 'type-fest';
import { onTestFinished } from 'vitest';
import { type LoadedSettings, loadSettings } from '../src/load-settings.ts';
import { trustStore } from '../src/trust/store.ts';
import { sampleRuntime } from './plain-dialect.ts';
import { type ProjectFolder, projectFolder } from './project-folder.ts';

/** A project with the settings file of an agent, trusted as it was first. */
export interface AgentProject {
  readonly project: ProjectFolder;
  readonly loaded: LoadedSettings;
  /** Calls `Bash` with real commands around it. */
  callBash(
    input?: JsonObject,
  ): Promise<{ readonly said: string | null | undefined; readonly ran: unknown[] }>;
  /** Whether the file is still trusted, now. */
  readStatus(): Promise<string | undefined>;
}

/** @param files what lies beside the settings: texts by path */
export async function agentProject(
  settingsPath: string,
  content: object | string,
  files: Readonly<Record<string, string>> = {},
): Promise<AgentProject> {
  const project = projectFolder({ [settingsPath]: content, ...files } as Parameters<typeof projectFolder>[0]);
  const file = join(project.path, settingsPath);
  const store = trustStore(join(projectFolder().path, 'trusted.json'));
  const load = async (): Promise<LoadedSettings> => {
    const read = await loadSettings([file], { trust: store, projectDir: project.path });
    onTestFinished(() => read.close());
    return read;
  };
  await store.trust(file, (await load()).files[0]?.trust?.fingerprint ?? '');
  const loaded = await load();
  return {
    project,
    loaded,
    async callBash(input = { command: 'ls' }) {
      const { runtime, ran } = sampleRuntime(loaded.hooks, [
        { toolCalls: [{ name: 'Bash', input }] },
        'Done.',
      ]);
      const thread = await runtime.createThread({ agent: 'helper' });
      await thread.send('Hello');
      const messages = await thread.messages();
      return { said: messages.find(({ role }) => role === 'tool')?.content, ran };
    },
    readStatus: async () => (await load()).files[0]?.trust?.status,
  };
}
