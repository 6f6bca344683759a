import type { FilePosition } from '../normal-form.ts';

/** Something that the target format lacks or expresses differently. */
export interface Loss {
  /** `dropped`: it is missing. `changed`: it means something else. `converted`: it means the same in other words or units. */
  readonly level: 'dropped' | 'changed' | 'converted';
  /** Its position in the source. */
  readonly position: FilePosition;
  /** A field of the normal form (`matcher`, `effects.onTimeout`), `entry`, or `input` and `output`: what a command reads and prints. */
  readonly field: string;
  /** One sentence. */
  readonly message: string;
}
