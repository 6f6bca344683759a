// Test helpers: what the tests of several packages need. Tests import it; no source does.

export { isSample, pickShare } from './share-of-day.ts';
