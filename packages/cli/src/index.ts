export type { HooksConfig } from './project/config.ts';
export { defineConfig } from './project/config.ts';
