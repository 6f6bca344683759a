import type { Subject } from '@spec/conformance';
import naive from './naive.ts';
export default { ...naive, name: 'rejects late', async open(s) { const t = await naive.open(s); return { ...t, async send(c) { void Promise.reject(new Error('late secret')); return t.send(c); }, close: async () => { throw new Error('close failed'); } }; } } satisfies Subject;
