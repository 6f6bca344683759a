import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, ruledTurn } from '../test/ruled-turn.ts';
import { checkRules } from './check-rules.ts';
import { rulesInCode } from './load-rules.ts';
import type { RuleInput } from './rule.ts';

/** The tables and examples of the document "Hooks" (rules and scripts), in its order and its words. */

const source = join(import.meta.dirname, '../../../../shared/specs/rules-and-scripts.md');
const document = existsSync(source) ? readFileSync(source, 'utf8') : undefined;

/** A piece of the document, which must still be in its words where the document is beside this checkout. */
function quote(text: string): string {
  if (document !== undefined) expect(document).toContain(text);
  return text;
}

const found = (turn: { readonly results: readonly (string | null)[] }): string => turn.results.join('\n');

describe('Hook Types', () => {
  test.each(['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'Stop', 'AgentStart', 'AgentEnd'] as const)(
    '%s fires at its point',
    async (event) => {
      const turn = await ruledTurn([{ event, action: 'log' }], { calls: [call('bash', { command: 'ls' })] });
      await turn.thread.close();
      expect(turn.logs.map(({ occasion }) => occasion?.event)).toEqual([event]);
      expect(turn.logs[0]?.occasion).toMatchObject(
        {
          PreToolUse: { toolName: 'bash', toolInput: { command: 'ls' }, agentId: 'worker' },
          PostToolUse: { toolName: 'bash', toolResult: { content: 'bash ran' } },
          UserPromptSubmit: { prompt: 'Go' },
          Stop: { stopReason: 'completed' },
          AgentStart: { agentId: 'worker' },
          AgentEnd: { agentId: 'worker' },
        }[event],
      );
    },
  );

  test('PostToolUse tells a failure', async () => {
    const turn = await ruledTurn([{ event: 'PostToolUse', action: 'log' }], {
      calls: [call('bash')],
      execute: () => ({ status: 'error', error: 'no such command' }),
    });
    expect(turn.logs[0]?.occasion?.toolResult).toEqual({ content: 'no such command', is_error: true });
  });
});

describe('Declarative Rules', () => {
  const rule: RuleInput = {
    event: 'PreToolUse',
    matcher: '^bash$',
    action: 'script',
    script: quote(`if (toolInput.command?.includes('rm -rf')) {
    return { decision: 'deny', reason: 'Dangerous command blocked' };
  }`),
  };

  test('Browser Hook Example: block any bash command containing `rm -rf`', async () => {
    const calls = [call('bash', { command: 'rm -rf /' }), call('bash', { command: 'ls' }), call('bash')];
    const { results, ran } = await ruledTurn([rule], { calls });
    expect(results[0]).toContain('Dangerous command blocked');
    expect(results.slice(1)).toEqual(['bash ran', 'bash ran']);
    expect(ran).toHaveLength(2);
  });
});

describe('Hook Actions', () => {
  test('deny: block the operation; an optional reason is returned to the agent', async () => {
    const calls = [call('bash'), call('files')];
    const turn = await ruledTurn(
      [
        { action: 'deny', matcher: '^bash$', reason: 'Not here.' },
        { action: 'deny', matcher: '^files$' },
      ],
      { calls },
    );
    expect(turn.ran).toEqual([]);
    expect(turn.results[0]).toContain('Not here.');
    expect(turn.results[1]).toContain('The rule "rule_2" does not allow this.');
    expect(turn.runs.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['rule_1', 'denied'],
      ['rule_2', 'denied'],
    ]);
  });

  test('allow: explicitly allow; a note says that it overrides no deny', async () => {
    const rules: RuleInput[] = [
      { action: 'allow', matcher: '^bash$', priority: 10 },
      { action: 'deny', matcher: '^bash$', reason: 'Still not.' },
    ];
    const turn = await ruledTurn(rules, { calls: [call('bash'), call('files')] });
    expect(turn.results[0]).toContain('Still not.');
    expect(turn.results[1]).toBe('files ran');
    expect(checkRules(rulesInCode(rules)).findings).toEqual([
      {
        level: 'note',
        position: 'rules[0]',
        rule: 'rule_1',
        message: expect.stringContaining('An allow never beats a deny'),
      },
    ]);
  });

  test('log: log the hook context, and continue', async () => {
    const turn = await ruledTurn([{ id: 'audit', action: 'log' }], {
      calls: [call('bash', { command: 'ls' })],
    });
    expect(turn.results).toEqual(['bash ran']);
    expect(turn.logs).toEqual([
      {
        rule: 'audit',
        threadId: turn.thread.id,
        occasion: { event: 'PreToolUse', agentId: 'worker', toolName: 'bash', toolInput: { command: 'ls' } },
      },
    ]);
  });
});

describe('Tool Name Matching', () => {
  test.each([
    ['^bash$', ['bash'], ['bash2', 'my_bash', 'Bash', 'bash\n']],
    ['^(bash|write_file)$', ['bash', 'write_file'], ['write_files']],
    ['fetch|web_fetch', ['fetch', 'web_fetch', 'prefetch'], ['files']],
    ['write_', ['write_file', 'write_'], ['writefile']],
    ['.*', ['bash', 'anything'], []],
    [undefined, ['bash', 'anything'], []],
  ])('%s', async (matcher, matching, others) => {
    const { compileRules } = await import('./matching.ts');
    const { rules } = checkRules(rulesInCode([{ action: 'deny', ...(matcher && { matcher }) }]));
    const { matching: find } = compileRules(rules);
    for (const toolName of matching) expect(find({ toolName, input: {} }), toolName).toHaveLength(1);
    for (const toolName of others) expect(find({ toolName, input: {} }), toolName).toHaveLength(0);
  });

  test('`write_` says "starting with" and is not anchored: a note', () => {
    const note = checkRules(rulesInCode([{ action: 'log', matcher: 'write_' }])).findings[0];
    expect(note).toMatchObject({ level: 'note', message: expect.stringContaining('write "^write_"') });
  });
});

describe('Input Matching', () => {
  const rule = JSON.parse(
    quote(`{
  "matcher": "^write_file$",
  "inputMatchers": {
    "path": "\\\\.env$",
    "content": "API_KEY"
  },
  "action": "deny",
  "reason": "Cannot write API keys to .env files"
}`),
  ) as RuleInput;

  test('fires when the tool is write_file AND the path ends with .env AND the content contains API_KEY', async () => {
    const whole = { path: 'app/.env', content: 'API_KEY=1' };
    const turn = await ruledTurn([rule], {
      calls: [
        call('write_file', whole),
        call('files', whole),
        call('write_file', { ...whole, path: '.env.local' }),
        call('write_file', { ...whole, content: 'KEY=1' }),
        call('write_file', { path: 'app/.env' }),
        call('write_file', { ...whole, content: ['API_KEY'] }),
      ],
    });
    expect(turn.results[0]).toContain('Cannot write API keys to .env files');
    expect(turn.results[5]).toContain('Cannot write API keys to .env files');
    expect(turn.ran).toHaveLength(4);
  });

  test.each([
    [{ url: '.*\\.exe$' }, { url: 'https://x.test/a.exe' }, { url: 'https://x.test/a.exe?x' }],
    [{ command: 'rm\\s+-rf' }, { command: 'sudo rm   -rf /' }, { command: 'rm -r -f /' }],
    [{ path: '\\.(env|key|pem)$' }, { path: 'a.pem' }, { path: 'a.pem.txt' }],
  ])('%j', async (inputMatchers, blocked, passed) => {
    const calls = [call('bash', blocked), call('bash', passed)];
    const turn = await ruledTurn([{ action: 'deny', inputMatchers }], { calls });
    expect(turn.ran).toEqual([{ name: 'bash', input: passed }]);
  });
});

describe('Available Variables', () => {
  const show = 'log(JSON.stringify({ type, agentId, toolName, toolInput, toolResult, prompt, stopReason }));';
  test.each([
    [
      'PreToolUse',
      { type: 'pre_tool_use', agentId: 'worker', toolName: 'bash', toolInput: { command: 'ls' } },
    ],
    [
      'PostToolUse',
      {
        type: 'post_tool_use',
        agentId: 'worker',
        toolName: 'bash',
        toolInput: { command: 'ls' },
        toolResult: { content: 'bash ran' },
      },
    ],
    ['UserPromptSubmit', { type: 'user_prompt_submit', agentId: 'worker', prompt: 'Go' }],
    ['Stop', { type: 'stop', agentId: 'worker', stopReason: 'completed' }],
    ['AgentStart', { type: 'agent_start', agentId: 'worker' }],
    ['AgentEnd', { type: 'agent_end', agentId: 'worker' }],
  ] as const)('%s', async (event, variables) => {
    const turn = await ruledTurn([{ event, action: 'script', script: show }], {
      calls: [call('bash', { command: 'ls' })],
    });
    await turn.thread.close();
    expect(turn.logs.map(({ line = '' }) => JSON.parse(line))).toEqual([variables]);
  });
});

describe('Returning Decisions', () => {
  test.each([
    [quote("return { decision: 'deny', reason: 'Not allowed' };"), /Not allowed/, 0],
    [quote("return { decision: 'allow' };"), /^bash ran$/, 1],
    ['', /^bash ran$/, 1],
  ])('%s', async (script, result, runs) => {
    const turn = await ruledTurn([{ action: 'script', script: script || ';' }], { calls: [call('bash')] });
    expect(found(turn)).toMatch(result);
    expect(turn.ran).toHaveLength(runs);
  });
});

describe('Script Examples', () => {
  test('Log all tool calls', async () => {
    const script = quote(
      "// Event: PreToolUse, Action: script\nlog('Tool called:', toolName, 'with input:', JSON.stringify(toolInput));",
    );
    const turn = await ruledTurn([{ action: 'script', script }], {
      calls: [call('bash', { command: 'ls' })],
    });
    expect(turn.logs).toEqual([
      { rule: 'rule_1', threadId: turn.thread.id, line: 'Tool called: bash with input: {"command":"ls"}' },
    ]);
  });

  test('Block writes to sensitive files', async () => {
    const script = quote(`// Event: PreToolUse, Matcher: ^write_file$, Action: script
if (toolInput.path?.includes('.env')) {
  return { decision: 'deny', reason: 'Cannot modify .env files' };
}`);
    const calls = [
      call('write_file', { path: '.env' }),
      call('write_file', { path: 'a.ts' }),
      call('write_file'),
    ];
    const turn = await ruledTurn([{ matcher: '^write_file$', action: 'script', script }], { calls });
    expect(turn.results[0]).toContain('Cannot modify .env files');
    expect(turn.ran).toHaveLength(2);
  });

  test('Auto-format Python files after write', async () => {
    const script = quote(`// Event: PostToolUse, Matcher: ^write_file$, Action: script
if (toolInput.path?.endsWith('.py')) {
  await callTool('bash', { command: \`black \${toolInput.path}\` });
  log('Formatted:', toolInput.path);
}`);
    const calls = [call('write_file', { path: 'a.py' }), call('write_file', { path: 'a.ts' })];
    const turn = await ruledTurn(
      [{ event: 'PostToolUse', matcher: '^write_file$', action: 'script', script }],
      {
        calls,
      },
    );
    expect(turn.ran.filter(({ name }) => name === 'bash')).toEqual([
      { name: 'bash', input: { command: 'black a.py' } },
    ]);
    expect(turn.logs.map(({ line }) => line)).toEqual(['Formatted: a.py']);
  });

  /** The two exceptions: what they touch is a browser's. The scripts get that as an error, and by default nothing else happens. */
  const domExamples = quote(`// Event: PostToolUse, Action: script
await callTool('runjs', {
  context: 'iframe',
  code: 'var d = document.createElement("div"); d.className = "notification"; d.textContent = "Tool ' + toolName + ' completed"; document.body.appendChild(d);'
});

// or dom (but this reads then appends)
await callTool('dom', {
  action: 'modify',
  selector: 'body',
  innerHTML: document.body.innerHTML + '<div class="notification">Tool ' + toolName + ' completed</div>'
});`);
  const [runjs = '', dom = ''] = domExamples.split('// or dom');
  test.each([
    ['runjs', runjs, /Error: There is no tool named "runjs"\. Registered are: bash/],
    ['dom', `//${dom}`, /ReferenceError: '?document'? is not defined/],
    [
      'dom without its reading',
      "await callTool('dom', { action: 'modify' });",
      /There is no tool named "dom"/,
    ],
  ])('Update the agent’s DOM: %s gets an error', async (_name, script, said) => {
    const caught = `try { ${script} } catch (error) { log(String(error)); throw error; }`;
    const turn = await ruledTurn([{ event: 'PostToolUse', action: 'script', script: caught }], {
      calls: [call('bash')],
    });
    expect(turn.logs[0]?.line).toMatch(said);
    expect(turn.results).toEqual(['bash ran']);
    expect(turn.runs.map(({ outcome }) => outcome)).toEqual(['failed']);
  });

  test('alert() is not available', async () => {
    const turn = await ruledTurn([{ action: 'script', script: "alert('x')" }], { calls: [call('bash')] });
    expect(turn.runs[0]).toMatchObject({ outcome: 'failed', why: 'the script threw an error in line 1' });
  });
});

describe('callTool Routing', () => {
  test('“Execute any available tool. Returns { content, is_error? }.”', async () => {
    const script = `const { content, is_error } = await callTool('files', { a: 1 });
      log(content, is_error, JSON.stringify(await callTool('fetch', {})));`;
    const turn = await ruledTurn([{ matcher: '^bash$', action: 'script', script }], {
      calls: [call('bash')],
      execute: (name) => (name === 'fetch' ? { status: 'error', error: 'no net' } : 'ok'),
    });
    expect(turn.logs[0]?.line).toBe('ok undefined {"content":"no net","is_error":true}');
  });
});

describe('Priority and Ordering', () => {
  const rule = (priority: number, action: 'deny' | 'allow' | 'log'): RuleInput => ({
    id: `${action}_${priority}`.replace('-', 'minus_'),
    priority,
    action,
  });

  test('deny at 100 stops here', async () => {
    const turn = await ruledTurn([rule(10, 'log'), rule(50, 'allow'), rule(100, 'deny')], {
      calls: [call('bash')],
    });
    expect(turn.runs.map(({ id }) => id)).toEqual(['deny_100']);
    expect(turn.ran).toEqual([]);
    expect(turn.logs).toEqual([]);
  });

  test('allow at 50 continues; log at 10; ALLOW (from priority 50)', async () => {
    const turn = await ruledTurn([rule(10, 'log'), rule(50, 'allow')], { calls: [call('bash')] });
    expect(turn.runs.map(({ id }) => id)).toEqual(['allow_50', 'log_10']);
    expect(turn.results).toEqual(['bash ran']);
  });

  test('an allow is remembered but evaluation continues: a later deny still wins', async () => {
    const turn = await ruledTurn([rule(-1, 'deny'), rule(50, 'allow'), rule(0, 'log')], {
      calls: [call('bash')],
    });
    expect(turn.runs.map(({ id }) => id)).toEqual(['allow_50', 'log_0', 'deny_minus_1']);
    expect(turn.ran).toEqual([]);
  });

  test('the default is 0, equal ones run as they are written, and without a decision it proceeds', async () => {
    const rules: RuleInput[] = [
      { id: 'a', action: 'log' },
      { id: 'b', action: 'log', priority: 0 },
      { id: 'c', action: 'log', priority: 1 },
      { id: 'd', action: 'log', priority: -1 },
    ];
    const turn = await ruledTurn(rules, { calls: [call('bash')] });
    expect(turn.runs.map(({ id }) => id)).toEqual(['c', 'a', 'b', 'd']);
    expect(turn.results).toEqual(['bash ran']);
  });
});

describe('Error Handling', () => {
  const script = "throw new Error('broken');";
  test('continueOnError is true by default: logged, not blocked', async () => {
    const turn = await ruledTurn([{ action: 'script', script }], { calls: [call('bash')] });
    expect(turn.results).toEqual(['bash ran']);
    expect(turn.runs[0]).toMatchObject({ outcome: 'failed' });
  });

  test('disabled: a deny with the error message as the reason', async () => {
    const turn = await ruledTurn([{ action: 'script', script, continueOnError: false }], {
      calls: [call('bash')],
    });
    expect(turn.ran).toEqual([]);
    expect(turn.results[0]).toContain('The script of the rule "rule_1" failed: Error: broken');
    expect(JSON.stringify(turn.runs)).not.toContain('broken');
  });

  test.each([
    [{ action: 'deny', continueOnError: false }, 'continueOnError is about scripts'],
    [
      { event: 'PostToolUse', action: 'script', script: ';', continueOnError: false },
      'nothing is left to deny',
    ],
  ] as const)('where it changes nothing, a note says so: %j', (rule, message) => {
    expect(checkRules(rulesInCode([rule])).findings[0]).toMatchObject({
      level: 'note',
      message: expect.stringContaining(message),
    });
  });
});
