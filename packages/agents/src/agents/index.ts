// Agents: one file for each coding agent, with all that is known of its hooks. The host reads them; they run nothing.

import type { Agent, AgentProfile } from '../agent.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { openCode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';

/** The coding agents that start a command for each event. To add one, add its file here. */
export const agents: readonly Agent[] = [claudeCode, codex, gemini, qwen, cursor, copilot];

/** The coding agents that load hooks into their own process. */
export const inProcessAgents: readonly AgentProfile[] = [openCode, pi];

/** All of them. */
export const allAgents: readonly AgentProfile[] = [...agents, ...inProcessAgents];
