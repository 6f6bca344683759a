// Address: how texts of others stand in addresses. The page and the routes call it; it knows no address itself.

// A browser takes `.` and `..` out of a path, also where they are escaped, and no address has half of a character. Such texts, and those
// that look like what stands in their place, are written as `~` and four digits for each of their units.

const written = /^~(?:[0-9a-f]{4})*$/;

/** A text for a part of a path or a value of a query, before it is escaped. */
export function encodeText(text: string): string {
  if (!/^\.{1,2}$/.test(text) && !text.startsWith('~') && text.isWellFormed()) return text;
  return `~${Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0')).join('')}`;
}

/** The text that was meant. */
export function decodeText(text: string): string {
  if (!written.test(text)) return text;
  return text.slice(1).replace(/.{4}/g, (unit) => String.fromCharCode(Number.parseInt(unit, 16)));
}
