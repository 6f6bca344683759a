/** The style sheet of an exported conversation. */
export const style = `
:root { color-scheme: light dark; --ink-2: light-dark(#5a6470, #9aa4b0); --line: light-dark(#e3e6ea, #2c3138); --warm: light-dark(#8a5a00, #e0b25a); --bad: light-dark(#b3261e, #f28b82); font: 14px/20px system-ui, sans-serif; }
body { max-width: 880px; margin: 0 auto; padding: 24px 16px 64px; background: light-dark(#fff, #16181c); color: light-dark(#1b1f24, #e3e6ea); }
h1 { font-size: 18px; line-height: 24px; margin: 0; overflow-wrap: anywhere; }
header p, .role, i { color: var(--ink-2); margin: 0; }
article { padding: 12px 0; border-top: 1px solid var(--line); }
header { padding-bottom: 16px; }
time { font-variant-numeric: tabular-nums; }
.role, ul { font-size: 12px; line-height: 18px; }
pre { margin: 4px 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
.user pre { font-weight: 600; }
pre.calls, i { font-family: ui-monospace, monospace; font-size: 12px; font-style: normal; font-weight: 400; }
ul { list-style: none; margin: 4px 0 0; padding: 0; color: var(--ink-2); }
li b { font-weight: 500; }
.changed b { color: var(--warm); }
:is(.denied, .failed, .timed_out, .invalid_input, .invalid_result) b { color: var(--bad); }
`;
