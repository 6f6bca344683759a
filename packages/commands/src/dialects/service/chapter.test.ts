// The examples of the hook service chapter (§12e.7, §12e.9), word for word.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { JsonObject } from 'type-fest';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { projectFolder } from '../../../test/project-folder.ts';
import { calls, type SceneOptions, stage } from '../../../test/scene.ts';
import { listCodes, settingsFile } from '../../../test/settings-file.ts';
import { claude } from '../claude/index.ts';
import { createService } from './index.ts';

const chapter = join(import.meta.dirname, '../../../../../../shared/specs/hook-service-chapter.md');
const isThere = existsSync(chapter);
if (!isThere) console.warn('Not tested: hook-service-chapter.md is not beside the checkout.');

/** JSON objects that stand alone; the numbers of lines that follow them are no part of them. */
function examplesIn(text: string): string[] {
  return [...text.matchAll(/^(\{\n"hooks": \{[\s\S]*?\n\})(?:1|\nEOF1)$/gm)].map(
    ([, example]) => example as string,
  );
}

const examples = isThere ? examplesIn(readFileSync(chapter, 'utf8')) : [];
const service = createService({ environment: {} });

/** Sends one message with the hooks of an example. */
async function play(example: number, more: Partial<SceneOptions> = {}) {
  const { hooks } = settingsFile(examples[example] as string).content;
  const scene = await stage({ dialect: service, files: [hooks as JsonObject], ...more });
  await scene.thread.send('Hello');
  return { ...scene, messages: await scene.thread.messages() };
}

afterEach(() => void vi.unstubAllEnvs());

describe.skipIf(!isThere)('the examples', () => {
  test('are four, each recognised, and loaded without an error', () => {
    expect(examples).toHaveLength(4);
    for (const example of examples) {
      const file = settingsFile(example);
      expect([service.recognises(file.content), service.read(file).entries.length]).toEqual([true, 1]);
      expect(listCodes(service.read(file)).filter((code) => !code.startsWith('note'))).toEqual([]);
    }
    expect(claude.recognises(settingsFile(examples[0] as string).content)).toBe(true);
  });

  test('阻止读取敏感文件: reading .env is denied, reading others is not', async () => {
    const script = [
      calls('Read', { file_path: '.env.local' }),
      calls('Read', { file_path: 'a.ts' }),
      'Done.',
    ];
    const { ran, messages } = await play(0, { script });
    expect(ran).toEqual(['Read {"file_path":"a.ts"}']);
    expect(messages.find(({ role }) => role === 'tool')?.content).toContain(
      'Reading .env files is not allowed',
    );
  });

  test('代码写入后运行 Lint: what the linter says stands behind the result', async () => {
    const folder = projectFolder({
      'bin/eslint': '#!/bin/sh\nfor i in 1 2 3 4 5 6; do echo "$3: line $i"; done\n',
    });
    chmodSync(join(folder.path, 'bin/eslint'), 0o755);
    vi.stubEnv('PATH', `${join(folder.path, 'bin')}${delimiter}${process.env.PATH}`);
    const script = [
      calls('Write', { file_path: "src/it's.ts" }),
      calls('Write', { file_path: 'a.md' }),
      'Done.',
    ];
    const { messages } = await play(1, { script, folder });
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    const lines = [1, 2, 3, 4, 5].map((line) => `src/it's.ts: line ${line}`).join('\n');
    expect(results).toEqual([`Write ran\n\n[Hook Context]\n${lines}`, 'Write ran']);
  });

  test('注入 Git 上下文: branch and last commit go with the prompt', async () => {
    const folder = projectFolder({ 'a.txt': 'a' });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder.path, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        stdio: 'pipe',
      });
    git('init', '-b', 'feature-x');
    git('add', '.');
    git('commit', '-m', 'First step');
    const { sent } = await play(2, { script: ['Hello.'], folder });
    expect(sent()).toMatch(/当前分支: feature-x\\n最近提交: [0-9a-f]+ First step/);
  });

  test('创建测试配置: the test hook speaks', async () => {
    const { sent } = await play(3, { script: ['Hello.'] });
    expect(sent()).toContain('[Hook] User submitted a prompt');
  });
});
