export { defineConfig } from './project/config.ts';
export type { HooksConfig } from './project/hooks-config.ts';
