/** Control characters, and a CR that does not end the line: shells read them as parts of words. */
const CONTROL = /[^\P{Cc}\t\n\r]|\r(?!\n?$)/u;
/** A line joined at a place other than between words or inside one. */
const JOINED_ODDLY = /(?:^|[^\w \t"'/.,:=-]|\$\w{1,64})\\\n/;
/** Tables and variables from which bash runs commands. */
const RUNS_LATER =
  /\b(?:BASH_CMDS|BASH_ALIASES|expand_aliases|PS4|PROMPT_COMMAND|histexpand|hash[ \t]+-|set[ \t]+-[a-zA-Z]*H)/;
/** Behind a list the words of the same builtin are not seen: `declare -a a=(1) b='($(cmd))'`. */
const LIST_BEHIND_LIST =
  /\b(?:declare|typeset|local|export|readonly)\b[^\n]{0,1000}=\([^\n]{0,1000}\)[^\n]{0,1000}=\W?\([^\n]{0,1000}(?:\$[({]|`|[<>]\()/;
const ALIAS = /(?:^|[\s;&|(])alias\s/;
const QUOTED_INDEX = /[\w]\[[^\]\n]{0,200}(?:\$\(|`)/;

/** Whether a line has a form with which more may run than its commands show. */
export function hasOddText(line: string): boolean {
  if (CONTROL.test(line) || RUNS_LATER.test(line)) return true;
  if (line.includes('extglob') && line.includes('!(')) return true; // A pattern, and no group behind `!`.
  if (line.includes('\\\n') && (JOINED_ODDLY.test(line) || line.includes('<<'))) return true;
  if (line.includes('=(') && LIST_BEHIND_LIST.test(line)) return true;
  if (ALIAS.test(line) && (line.includes('\n') || line.includes('eval'))) return true;
  return /\(\(|\[\[|\blet\b/.test(line) && QUOTED_INDEX.test(line);
}

const TAKES_CODE = /(?:^|\/)(?:compgen|complete|mapfile|readarray)$/;
const SPLITS_TEXT = /(?:^|\/)env$/;
/** Launchers with many options that say what they run. */
const RUNS_ANYTHING = /(?:^|\/)(?:start-stop-daemon|capsh|run-parts|ld[\w-]*(?:\.\d+)*\.so(?:\.\d+)*)$/;

const GIT = /(?:^|\/)git$/;

/** Git takes its own commands or a setting from outside the line. */
const GIT_FROM_ELSEWHERE = /^--(?:exec-path=|config-env)|^(?:(?:url\.|[\w.-]+=)?ext::)\S/;

/** Whether options of a command make it run something that is not read here. */
export function isOddCommand(words: readonly string[]): boolean {
  if (words.some((word) => RUNS_ANYTHING.test(word))) return true;
  if (words.some((word) => GIT.test(word)) && words.some((word) => GIT_FROM_ELSEWHERE.test(word)))
    return true;
  if (words.some((word) => SPLITS_TEXT.test(word)) && words.some((word) => word.includes('\\'))) return true;
  return words.some((word) => TAKES_CODE.test(word)) && words.some((word) => /^-[A-Za-z]*[CW]/.test(word));
}
