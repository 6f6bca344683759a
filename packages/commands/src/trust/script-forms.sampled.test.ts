import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { pickShare } from '@spec/test-helpers';
import { afterEach, expect, test, vi } from 'vitest';
import { moduleForms } from '../../test/module-forms.ts';
import { type ProjectFolder, projectFolder } from '../../test/project-folder.ts';
import {
  type Form,
  type FormFile,
  type FormLanguage,
  forms as plainForms,
  samples,
} from '../../test/script-forms.ts';
import { readHooks } from '../../test/settings-file.ts';
import { claude } from '../dialects/claude/index.ts';
import { loadSettings } from '../load-settings.ts';
import { trustStore } from './store.ts';
import { lookUpTrust } from './trust.ts';

afterEach(() => void vi.unstubAllEnvs());

function makeTexts(file: FormFile): readonly [plain: string, owned: string] {
  if (typeof file === 'string') return samples[file];
  const [language, plain, owned] = file;
  return [plain, owned ?? samples[language as FormLanguage][1]];
}

function isThere(program: string): boolean {
  return spawnSync('/bin/sh', ['-c', `command -v ${program}`]).status === 0;
}

function makeHooks({ command, args }: Form) {
  return { PreToolUse: [{ hooks: [{ type: 'command', command, ...(args && { args: [...args] }) }] }] };
}

/** A project with the files of a form, with its home folder in it. */
function makeProject(form: Form): ProjectFolder {
  const { files, others = {} } = form;
  const hooks = makeHooks(form);
  const project = projectFolder({ '.claude/settings.json': { hooks }, 'home/x': '' });
  for (const [name, file] of Object.entries(files)) write(project, name, makeTexts(file)[0]);
  vi.stubEnv('HOME', join(project.path, 'home'));
  for (const [name, text] of Object.entries(others)) write(project, name, text);
  return project;
}

function write(project: ProjectFolder, name: string, text: string): void {
  project.write(name, text);
  chmodSync(join(project.path, name), 0o755);
}

function run({ command, args }: Form, { path }: ProjectFolder): void {
  const env = { PATH: process.env.PATH, HOME: join(path, 'home'), CLAUDE_PROJECT_DIR: path };
  const filled = args?.map((arg) => arg.replace(/\$\{CLAUDE_PROJECT_DIR\}/, path));
  const [program, words] = filled === undefined ? ['/bin/sh', ['-c', command]] : [command, filled];
  spawnSync(program, words, { cwd: path, env, stdio: 'ignore', timeout: 30_000 });
}

function owns({ read }: ProjectFolder): boolean {
  try {
    read('owned');
    return true;
  } catch {
    return false;
  }
}

const forms = [...plainForms, ...moduleForms];
const missing = new Set(forms.flatMap(({ needs = [] }) => needs).filter((program) => !isThere(program)));
if (missing.size > 0) console.log(`not run, for these programs are not here: ${[...missing].join(', ')}`);

test.for(
  pickShare(
    forms.map((form, i) => [i, form.command, Object.keys(form.files).join(), form] as const),
    5,
  ),
)('the files of form %i, %s, %s', async ([, , , form]) => {
  const project = makeProject(form);
  const file = join(project.path, '.claude/settings.json');
  const store = trustStore(join(projectFolder().path, 'trusted.json'));
  const load = async () => {
    const loaded = await loadSettings([file], { trust: store, projectDir: project.path });
    await loaded.close();
    return loaded;
  };
  await store.trust(file, (await load()).files[0]?.trust?.fingerprint ?? '');
  const trusted = await load();
  expect(trusted.files[0]?.trust?.status).toBe('trusted');
  const isUnseen = trusted.findings.some(({ code }) => code === 'unseen_script');
  expect(isUnseen ? trusted.findings.map(({ message }) => message) : 'fingerprint').toEqual(
    form.way === 'unseen' ? expect.anything() : 'fingerprint',
  );
  expect(isUnseen).toBe(form.way === 'unseen');
  const { entries } = readHooks(claude, makeHooks(form), file);
  const subject = { dialect: 'claude', content: { hooks: makeHooks(form) }, entries } as const;
  const places = { projectDir: project.path, settingsPath: file };
  const { refusal } = await lookUpTrust(file, { ...subject, ...places }, { option: store, isGiven: false });
  const changes = [
    ...Object.entries(form.files).map(([name, content]) => [name, ...makeTexts(content)] as const),
    ...Object.entries(form.arrives ?? {}).map(([name, owned]) => [name, undefined, owned] as const),
  ];
  for (const [name, plain, owned] of changes) {
    expect([name, refusal()]).toEqual([name, undefined]);
    write(project, name, owned);
    if (form.way === 'fingerprint') {
      // In the fingerprint, and noticed right before the next run.
      expect([name, (await load()).files[0]?.trust?.status]).toEqual([name, 'changed']);
      expect([name, refusal()]).toEqual([name, expect.any(String)]);
    }
    if (owned !== '' && !(form.needs ?? []).some((program) => missing.has(program))) {
      run(form, project);
      // What reads `owned` proves that the command reads the file.
      expect([name, owns(project)]).toEqual([name, true]);
      project.remove('owned');
    }
    if (plain === undefined) project.remove(name);
    else write(project, name, plain);
  }
  expect(refusal()).toBe(undefined);
});
