export type { SkillFile, SkillLoaderOptions } from './skill-loader.ts';
export { skillLoader } from './skill-loader.ts';
