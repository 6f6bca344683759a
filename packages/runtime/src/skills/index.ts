// Skills: finds skills in folders. The application passes it to the runtime; nothing in this package calls it.

export type { SkillFile, SkillLoaderOptions } from './skill-loader.ts';
export { skillLoader } from './skill-loader.ts';
