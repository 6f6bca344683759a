// Detect: finds the values of one kind in a text. The redactor calls the detectors; they never change a text and know nothing of threads.

/** A finding of a detector. Offsets count UTF-16 units; `end` is exclusive. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /**
   * The value in its normal form, such as an e-mail address in lower case: equal values get the same placeholder.
   * Further entries are other readings of the same text (04/05/1990 is a day in April or in May).
   */
  readonly values: readonly string[];
  /** Whether its key or the words before it name its kind. Of equally long findings, such a one gives the name. */
  readonly isAnnounced?: boolean;
  /** The real value if the text is different: a quoted text without its escapes. */
  readonly meant?: string;
}

/** What a detector may know besides the text. */
export interface Scope {
  /** The key of the text, if it is a value of an object; decides for `dob`, `password`, `order_id`. */
  readonly key: string | undefined;
  /** Whether the text is a JSON number rather than a string. */
  readonly isNumber: boolean;
  /** Whether the text answers a question for a date of birth. */
  readonly asked: boolean;
  /** Whether this date, `YYYY-MM-DD`, is known in this thread as a date of birth; `undefined` if none is known. */
  readonly isBirthDate: ((date: string) => boolean) | undefined;
}

/** How a detector searches a long text: the characters of a piece, and how much more it sees on both sides. */
export interface Windows {
  /** Small enough that searching a piece and both sides takes some milliseconds at worst. */
  readonly piece: number;
  /** The length of the longest usual value with the words around it that decide on it. */
  readonly reach: number;
}

/**
 * Finds values of one kind. Existing placeholders arrive as U+FFFC, which is not part of a value: of a range with one inside,
 * only the text beside it counts.
 * If a detector throws, the hook fails, so nothing passes unseen.
 */
export interface Detector {
  /** The placeholder's name: `EMAIL` in `[EMAIL_1]`. */
  readonly label: string;
  /** Default: 2,048 characters, and 512 on both sides. `whole` if its findings may depend on the whole text. */
  readonly windows?: Windows | 'whole';
  /** Whether its values count character by character: a full-width `９` is then not a `9`. */
  readonly isExact?: boolean;
  find(text: string, scope: Scope): readonly Finding[];
}

/** Replaces existing placeholders. */
export const COVERED = '\ufffc';
