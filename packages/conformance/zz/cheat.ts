import type { Subject } from '@spec/conformance';
// Does nothing at all: whatever passes here is passed by accident.
export default { name: 'nothing | *at all*', abilities: ['control','policies','update','inject','queue','subagents','tools-from-hooks','files','values','streaming','ledger','abort','reopen','resume','sessions','compaction','notifications','dual'], async open() {
  const t: any = { threadId: 't', send: async () => ({ status: 'completed', text: null }), messages: async () => [], sent: () => [], close: async () => {},
    inject: async () => {}, queue: async () => {}, update: async () => {}, streamed: () => '', runs: async () => [], subagents: async () => [], told: async () => '', stop: async () => {}, compact: async () => {}, notify: async () => {}, openAgain: async () => {}, reopen: async () => t, crashAndResume: async () => t };
  return t; } } satisfies Subject;
