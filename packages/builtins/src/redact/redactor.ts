import type { Detector } from './detect/finding.ts';
import type { Placeholders } from './placeholders.ts';

/** The compiled options of one `redact(…)`. */
export interface Redactor {
  /** In the order in which they win over equally long findings of each other. */
  readonly detectors: readonly Detector[];
  readonly placeholders: Placeholders;
  /** Whether the operator allows this text to stay. */
  readonly isAllowed: (text: string) => boolean;
}
