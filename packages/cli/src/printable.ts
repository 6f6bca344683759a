/**
 * A text of somebody else's as a terminal may have it: what would move the cursor, colour, hide or turn text around is shown, such as
 * `\u{1b}`, and not obeyed. Line ends and tabs stay, and so do the joiners that scripts and emoji need.
 */
export function printable(text: string): string {
  return text.replace(control, shown);
}

/** The same for what must stay on its line: a name with line ends could look like a line of ours. */
export function printableLine(text: string): string {
  return printable(text).replace(/[\n\t\u2028\u2029]/g, shown);
}

const control = /(?!\n|\t|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** Such as pc.bold and pc.red give. */
const colour = '\\u001b\\[(?:[1249]|2[249]|3[1-469])m';
const colourOrControl = new RegExp(`${colour}|${control.source}`, 'gu');

/** The same for a text that has colours of our own in it: these stay. */
export function printableInColour(text: string): string {
  return text.replace(colourOrControl, (found) =>
    found.length > 1 && found.endsWith('m') ? found : shown(found),
  );
}

function shown(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
