import type { Detector } from './detect/finding.ts';
import type { Placeholders } from './placeholders.ts';

/** The compiled options of one `redact(…)`. */
export interface Redactor {
  /** Of equally long findings, the one of the earlier detector wins. */
  readonly detectors: readonly Detector[];
  readonly placeholders: Placeholders;
  /** Whether the operator allows this text. */
  readonly isAllowed: (text: string) => boolean;
}
