import type { JsonAnswer } from './read-output.ts';
