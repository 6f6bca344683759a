// Draws what `spec-hooks replay` prints of a folder of sessions, as a terminal shows it, in a light and in a dark version.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSession } from './make-sessions.ts';

const COLUMNS = 100;

/** What the command prints there, with its colours; times of this run are left out. */
export function recordReplay(): string {
  const home = mkdtempSync(join(tmpdir(), 'spec-hooks-picture-'));
  try {
    mkdirSync(join(home, '.claude/projects/shop'), { recursive: true });
    writeFileSync(join(home, '.claude/projects/shop/session.jsonl'), makeSession());
    const main = join(import.meta.dirname, '../../packages/cli/src/main.ts');
    const args = ['--conditions=@spec/source', '--import', import.meta.resolve('tsx'), main];
    const width = `data:text/javascript,process.stdout.columns=${COLUMNS}`;
    const { CI: _, NO_COLOR: __, ...inherited } = process.env;
    const env = { ...inherited, HOME: home, FORCE_COLOR: '1' };
    const printed = execFileSync(
      process.execPath,
      ['--import', width, ...args, 'replay', join(home, '.claude/projects')],
      { cwd: home, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    );
    return printed.replace(/, in [\d.,]+ m?s\./, '.');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

interface TerminalTheme {
  readonly name: 'light' | 'dark';
  readonly paper: string;
  readonly line: string;
  readonly ink: string;
  readonly dim: string;
  /** By the number of the terminal's colour. */
  readonly colours: Readonly<Record<string, string>>;
}

export const terminalThemes: readonly TerminalTheme[] = [
  {
    name: 'light',
    paper: '#ffffff',
    line: '#d0d7de',
    ink: '#1f2328',
    dim: '#6e7781',
    colours: { 31: '#cf222e', 32: '#1a7f37', 33: '#9a6700', 36: '#0a7285' },
  },
  {
    name: 'dark',
    paper: '#0d1117',
    line: '#30363d',
    ink: '#e6edf3',
    dim: '#8b949e',
    colours: { 31: '#ff7b72', 32: '#56d364', 33: '#e3b341', 36: '#56d4dd' },
  },
];

const LINE = 18;
const CHARACTER = 7.83;
const MARGIN = 16;

/** A picture of text with the colours of a terminal. */
export function drawTerminal(printed: string, theme: TerminalTheme): string {
  const lines = ['$ spec-hooks replay ~/.claude/projects', '', ...printed.trimEnd().split('\n')];
  const width = Math.round(2 * MARGIN + COLUMNS * CHARACTER);
  const height = 2 * MARGIN + lines.length * LINE;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, Liberation Mono, monospace" font-size="13">
<title id="title">What spec-hooks replay says of a folder of sessions</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${theme.paper}" stroke="${theme.line}"/>
${lines.map((line, n) => drawLine(line, { theme, y: MARGIN + (n + 1) * LINE - 5 })).join('\n')}
</svg>
`;
}

interface Style {
  readonly colour?: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

const PLAIN: Style = { isBold: false, isDim: false };

function drawLine(line: string, { theme, y }: { readonly theme: TerminalTheme; readonly y: number }): string {
  let style = PLAIN;
  let column = 0;
  const drawn: string[] = [];
  for (const [n, part] of line.split('\u001b[').entries()) {
    const code = n === 0 ? undefined : part.slice(0, part.indexOf('m'));
    const text = code === undefined ? part : part.slice(code.length + 1);
    if (code !== undefined) style = applyCode(style, code);
    if (text.trim() !== '') drawn.push(drawText(text, { style, theme, x: MARGIN + column * CHARACTER }));
    column += text.length;
  }
  return `<text y="${y}" xml:space="preserve">${drawn.join('')}</text>`;
}

function applyCode(style: Style, code: string): Style {
  if (code === '1') return { ...style, isBold: true };
  if (code === '2') return { ...style, isDim: true };
  if (code === '22') return { ...style, isBold: false, isDim: false };
  const { colour: _, ...others } = style;
  return code === '39' || code === '0' ? others : { ...others, colour: code };
}

function drawText(
  text: string,
  { style, theme, x }: { readonly style: Style; readonly theme: TerminalTheme; readonly x: number },
): string {
  const { colour, isBold, isDim } = style;
  const fill = (colour === undefined ? undefined : theme.colours[colour]) ?? (isDim ? theme.dim : theme.ink);
  const weight = isBold ? ' font-weight="600"' : '';
  const length = ` textLength="${(text.length * CHARACTER).toFixed(1)}"`;
  return `<tspan x="${x.toFixed(1)}"${length} fill="${fill}"${weight}>${escapeXml(text)}</tspan>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
