/** An expression of a URI template, such as `{path}` or `{?query}`. */
const EXPRESSION = /\{[^{}]*\}/;

/**
 * Whether an address may have been made from a template: what stands between the expressions comes in its order. A server writes its
 * templates as it likes, so none becomes a regular expression: this takes as many steps as both are long.
 */
export function fitsTemplate(uri: string, template: string): boolean {
  const [first = '', ...others] = template.split(EXPRESSION);
  const last = others.pop();
  if (last === undefined) return uri === template;
  if (!uri.startsWith(first) || !uri.endsWith(last)) return false;
  const end = uri.length - last.length;
  let at = first.length;
  for (const text of others) {
    const found = uri.indexOf(text, at);
    if (found === -1) return false;
    at = found + text.length;
  }
  return at <= end;
}
