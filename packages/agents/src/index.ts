// Hooks in coding agents: reads what an agent tells its hook commands, runs hooks of ours, and answers in the agent's words. It starts nothing, and reads and writes no file.

export type { Agent, AgentEvent, AgentFiles, Moment, Output } from './agent.ts';
export { isGuarded } from './agent.ts';
export type { AgentHost, AgentHostOptions, GivenEvent, SessionMemory } from './agent-host.ts';
export { createAgentHost, describeBroken, findAgent, refuseEvent } from './agent-host.ts';
export { agents } from './agents/index.ts';
