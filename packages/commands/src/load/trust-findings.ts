import type { Finding } from '../normal-form.ts';
import type { Trust } from '../trust/trust.ts';

/** What a person must know about the trust in a settings file. @param count how many entries and rules it has */
export function trustFindings(file: string, trust: Trust, count: number): Finding[] {
  const { status, unseen } = trust;
  const position = { file, line: 1, column: 1, path: '' };
  if (status === 'given') return [];
  const blind = unseen.map(({ position: at, why }): Finding => {
    const message = `${why}: trust does not cover that code, and a change of it is not noticed.`;
    return { level: 'warning', code: 'unseen_script', position: at, message };
  });
  if (status === 'trusted') return blind;
  if (count === 0 && status === 'unknown') return [];
  const why = status === 'changed' ? 'have changed since they were trusted' : 'are not trusted yet';
  const message =
    count === 0
      ? 'The hooks of this file were trusted, and are gone: what they guarded is not guarded any more. Look at the file, then trust it as it is, or forget it.'
      : `The hooks of this file ${why}: none of them runs, and what they guard is denied. Look at them and at the scripts they name, then trust the file.`;
  const code = status === 'changed' ? 'trust_changed' : 'untrusted';
  return [{ level: 'error', code, position, message }, ...blind];
}
