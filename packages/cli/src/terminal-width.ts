/** The width to fill, in characters. */
export function terminalWidth(): number {
  return Math.min(knownWidth() ?? 100, 140);
}

/** What goes to a file or another program is not wrapped. */
export function tableWidth(): number {
  return knownWidth() ?? Number.POSITIVE_INFINITY;
}

/** `COLUMNS` says it for what is no terminal, too. */
function knownWidth(): number | undefined {
  const said = Number(process.env.COLUMNS);
  return Number.isInteger(said) && said > 0 ? said : process.stdout.columns;
}
