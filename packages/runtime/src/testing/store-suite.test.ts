import { test } from 'vitest';
import { memoryStore } from '../stores/memory/index.ts';
import { storeSuite } from './store-suite.ts';

storeSuite({ name: 'memory', test, open: () => memoryStore() });
