import { conformance } from '../../src/vitest.ts';
import { options } from './options.ts';

conformance(options);
