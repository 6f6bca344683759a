// Detect: finds the values of one kind in a text. The redactor calls the detectors; they never change a text and know nothing of threads.

/** What a detector found in a text. Offsets count UTF-16 units; `end` is exclusive. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /**
   * The value in its normal form, such as an e-mail address in lower case: equal ones get the same placeholder.
   * Further entries are other readings of the same text (04/05/1990 is a day in April or in May).
   */
  readonly values: readonly string[];
  /** Whether the words before it, or its key, say what it is: of equally long findings such a one gives the name. */
  readonly isAnnounced?: boolean;
  /** What is meant where that is not what stands there: a quoted text without its escapes. */
  readonly meant?: string;
}

/** What a detector may know besides the text itself. */
export interface Scope {
  /** The key whose value the text is, where it came out of an object; decides for `dob`, `password`, `order_id`. */
  readonly key: string | undefined;
  /** Whether the text is a JSON number rather than a string. */
  readonly isNumber: boolean;
  /** Whether the text answers a question for somebody's date of birth. */
  readonly asked: boolean;
  /** Whether this date, `YYYY-MM-DD`, is known to be somebody's date of birth in this thread; `undefined` while none is. */
  readonly isBirthDate: ((date: string) => boolean) | undefined;
}

/** How a detector goes through a long text: so many characters at a time, seeing so many more on both sides of them. */
export interface Windows {
  /** Few enough that searching them, with what is seen beside them, takes some milliseconds at worst. */
  readonly piece: number;
  /** As long as the longest usual value with the words around it that decide on it. */
  readonly reach: number;
}

/**
 * Finds values of one kind. Text that is a placeholder already arrives as U+FFFC, which is no part of a value: of a range around
 * it only what stands beside it is taken.
 * A detector that throws makes the hook fail, so nothing passes unseen.
 */
export interface Detector {
  /** The placeholder's name: `EMAIL` in `[EMAIL_1]`. */
  readonly label: string;
  /** Default: 2,048 characters, and 512 on both sides. `whole` where what it finds may depend on all of the text. */
  readonly windows?: Windows | 'whole';
  /** Whether its values are texts sign by sign, in which a full-width `９` is not a `9`. */
  readonly isExact?: boolean;
  find(text: string, scope: Scope): readonly Finding[];
}

/** Stands for text that is a placeholder already. */
export const COVERED = '\ufffc';
