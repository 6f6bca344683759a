// Test helpers: what the tests of several packages need. Tests import it; no source does.

export { anyCharacter } from './any-character.ts';
export {
  type CanariesToFind,
  canary,
  encodeText,
  findCanaries,
  maskAll,
  maskMessage,
  maskText,
} from './canaries.ts';
export { failOnce } from './fail-once.ts';
export { type FindTextOptions, findText, findTexts } from './find-text.ts';
export { hearUsers } from './hear-users.ts';
export { isSample, pickShare } from './share-of-day.ts';
