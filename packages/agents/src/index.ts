// Hooks in coding agents: reads what an agent tells its hook commands, runs hooks of ours, and answers in the agent's words. It starts nothing, and reads and writes no file.

export type { Agent, AgentEvent, AgentFiles, AgentProfile, Moment, Output } from './agent.ts';
export { isGuarded } from './agent.ts';
export type { AgentHost, AgentHostOptions, GivenEvent, SessionMemory } from './agent-host.ts';
export { createAgentHost, findAgent, findAgentProfile, refuseEvent } from './agent-host.ts';
export { agents, allAgents, inProcessAgents } from './agents/index.ts';
export { openCode } from './agents/opencode.ts';
export { pi } from './agents/pi.ts';
export type { InProcessHost, InProcessOptions } from './in-process/host.ts';
export { createInProcessHost, createRefusingHost, createTellingHost } from './in-process/host.ts';
export { describeBroken } from './refusal.ts';
