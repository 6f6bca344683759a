import type { CommandEntry, Occasion } from '@spec/commands';

/** An occasion of an entry's event with nothing in it that is anybody's, to ask an entry about. */
export function sampleOccasion({ event }: CommandEntry, projectDir: string, tool = 'Bash'): Occasion {
  return {
    event,
    threadId: 'check',
    sessionId: 'check',
    agentId: 'check',
    userId: null,
    isSubagent: false,
    projectDir,
    sandboxDir: projectDir,
    permissionMode: 'default',
    timestamp: '2000-01-01T00:00:00.000Z',
    executionId: 'check',
    tool: { id: 'check', name: tool, input: {} },
    result: { status: 'success', result: '' },
    prompt: '',
    reason: '',
    keptGoing: 0,
  };
}
