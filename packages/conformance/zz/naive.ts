// A naive runtime with hooks of its own making: no executor of anybody's.
import type { AnyHook, HookMessage } from '@spec/hooks';
import type { Setup, Subject, Trial } from '@spec/conformance';

const naive: Subject = {
  name: 'naive', abilities: [],
  async open(setup: Setup): Promise<Trial> {
    const all = setup.hooks ?? [];
    const ids = setup.promptHooks ?? setup.agentHooks ?? [];
    const scope = ids.map((id) => { const h = all.find((x) => x.id === id); if (!h) throw new Error(`no hook ${id}`); return h; });
    const timeout = setup.hookTimeout ?? 1000;
    const stored: HookMessage[] = [];
    const sent: any[] = [];
    const script = [...(setup.script ?? [])];
    let steps = 0;
    const state: any = { threadId: 't', agentId: 'main', userId: null, getMessages: async () => structuredClone(stored),
      loadAgent: async (n: string) => ({ name: n }),
      get execution() { return { flowId: 'f', currentSide: 'a', stepCount: steps, stopped: false, abortSignal: new AbortController().signal, stop() {} }; } };
    const run = async (name: string, args: any[], kind: 'observe' | 'replace' | 'transform') => {
      let subject = args.at(-1);
      for (const h of scope.filter((x) => x.hook === name)) {
        try {
          const out = await Promise.race([(h.execute as any)(state, ...args.slice(0, -1), structuredClone(subject)), new Promise((_, r) => setTimeout(() => r(new Error('timeout')), h.timeout ?? timeout))]);
          if (kind === 'transform') { if (out == null) throw new Error('nothing'); subject = out; }
          if (kind === 'replace' && out != null) subject = out;
        } catch (e) { if (kind === 'transform') throw new Error(`hook ${h.id} failed`); }
      }
      return subject;
    };
    const insert = async (m: any) => {
      const x = await run('before_create_message', [{ id: 'm' + (stored.length + 1), created_at: stored.length, ...m }], 'transform');
      stored.push(x); await run('after_create_message', [x], 'observe'); return x;
    };
    await run('after_thread_created', [], 'observe');
    return {
      threadId: 't',
      async send(content) {
        await insert({ role: 'user', content });
        for (;;) {
          steps++;
          const history = await run('filter_messages', [structuredClone(stored)], 'transform');
          let llm = history.map(({ role, content, tool_calls, tool_call_id }: any) => ({ role, content, ...(tool_calls ? { tool_calls: JSON.parse(tool_calls) } : {}), ...(tool_call_id ? { tool_call_id } : {}) }));
          llm = await run('prefilter_llm_history', [llm], 'transform');
          const system = setup.system && (await run('after_system_message', [setup.system], 'replace'));
          sent.push(structuredClone(system ? [{ role: 'system', content: system }, ...llm] : llm));
          const answer = script.shift() ?? { text: 'done' };
          if (answer.fails) throw new Error('down');
          const calls = (answer.calls ?? []).map((c) => ({ id: c.id, type: 'function', function: { name: c.name, arguments: typeof c.input === 'string' ? c.input : JSON.stringify(c.input) } }));
          const m = await insert({ role: 'assistant', content: answer.text ?? null, ...(calls.length ? { tool_calls: JSON.stringify(calls) } : {}) });
          const todo = m.tool_calls ? JSON.parse(m.tool_calls) : [];
          if (!todo.length) return { status: 'completed', text: m.content };
          for (const call of todo) {
            let result: any;
            try { const t = setup.tools?.find((x) => x.name === call.function.name); const r = await t!.run(JSON.parse(call.function.arguments), state); result = typeof r === 'string' ? { status: 'success', result: r } : r; }
            catch (e) { result = { status: 'error', error: String(e) }; }
            result = await run(result.status === 'success' ? 'after_tool_call_success' : 'after_tool_call_failure', [call, result], 'replace');
            try { result = await run('before_store_tool_result', [call, result], 'transform'); } catch { result = { status: 'error', error: 'withheld' }; }
            await insert({ role: 'tool', tool_call_id: call.id, name: call.function.name, content: result.result ?? result.error });
          }
        }
      },
      messages: async () => structuredClone(stored), sent: () => structuredClone(sent), close: async () => {},
    };
  },
};
export default naive;
