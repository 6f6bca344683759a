import type { RunRecord } from '@spec/hooks';

/** Keeps what an application is handed, by the name of the place where it is. */
export class Ear {
  readonly heard: Map<string, unknown[]> = new Map();
  readonly runs: RunRecord[] = [];

  hear(outlet: string, ...handed: readonly unknown[]): void {
    this.heard.set(outlet, [...(this.heard.get(outlet) ?? []), ...handed]);
  }

  /** @returns what hears all that it is handed, and answers with what is given here */
  at<Given extends readonly unknown[], Answer>(
    outlet: string,
    answer: (...given: Given) => Answer,
  ): (...given: Given) => Answer {
    return (...given) => {
      this.hear(outlet, ...given);
      return answer(...given);
    };
  }
}

/** Each option of a framework: how it is given, or why it hands nothing on. One that the framework adds is missing here. */
export type Each<Options> = { readonly [Name in keyof Required<Options>]: Options[Name] | Silent };

const silences = new WeakSet<object>();

/** An option that is not given. */
export interface Silent {
  readonly why: string;
}

/** @param why it is no outlet and no inlet of its own */
export function silent(why: string): Silent {
  const silence = { why };
  silences.add(silence);
  return silence;
}

/** The options that are given. */
export function pickGiven<Options>(each: Each<Options>): Options {
  const entries = Object.entries(each).filter(
    ([, value]) => !(typeof value === 'object' && value !== null && silences.has(value)),
  );
  return Object.fromEntries(entries) as Options;
}
