import { conformance } from '../../src/node-test.ts';
import { options } from './options.ts';

conformance(options);
