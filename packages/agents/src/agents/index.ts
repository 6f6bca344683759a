// Agents: one file for each coding agent, with all that is known of its hooks. The host reads them; they run nothing.

import type { Agent } from '../agent.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { qwen } from './qwen.ts';

/** The coding agents that run our hooks. To add one, add its file here. */
export const agents: readonly Agent[] = [claudeCode, codex, gemini, qwen];
