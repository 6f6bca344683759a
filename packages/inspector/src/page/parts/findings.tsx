import type { JSX } from 'preact';
import type { HookFinding } from '../../api.ts';
import { Foreign } from './foreign.tsx';

const tones = { error: 'bad', warning: 'warm', risk: 'warm', note: 'quiet' } as const;

/** What `spec-hooks check` says, a line each. */
export function Findings({ findings }: { readonly findings: readonly HookFinding[] }): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <ul class="findings">
      {findings.map(({ level, where, entry, message }) => (
        <li key={level + where + entry + message}>
          <span class={tones[level]}>{level}</span> <Foreign text={message} />{' '}
          {where !== null && <Foreign text={where} class="quiet" />}
        </li>
      ))}
    </ul>
  );
}
