import type { Finding } from './finding.ts';
import { COVERED } from './finding.ts';
import { addAll } from './secret-match.ts';
import { isStandIn } from './secret-value.ts';

const KIND = /^[ \t]*kind:[ \t]*["']?(?:Sealed)?Secret["']?[ \t]*\r?$/m;
const DATA = /^([ \t]*)(?:data|stringData):[ \t]*\r?$/;
const ENTRY = new RegExp(
  `^([ \\t]+)["']?[\\w.-]{1,253}["']?:[ \\t]+["']?([^\\s"'${COVERED}][^"'\\n${COVERED}]{0,4000}?)["']?[ \\t]*\\r?$`,
);
const SEPARATOR = /^---/;

/** All values of a Kubernetes secret, whatever their names. */
export function kubernetesSecrets(text: string): Finding[] {
  if (!KIND.test(text)) return [];
  const found: Finding[] = [];
  let isSecret = false;
  let values: Finding[] = [];
  let dataIndent: number | undefined;
  let start = 0;
  const close = (): void => {
    if (isSecret) addAll(found, values);
    isSecret = false;
    values = [];
    dataIndent = undefined;
  };
  for (const line of text.split('\n')) {
    if (SEPARATOR.test(line)) close();
    isSecret ||= KIND.test(line);
    const data = DATA.exec(line);
    const entry = ENTRY.exec(line);
    if (data !== null) dataIndent = (data[1] as string).length;
    else if (dataIndent !== undefined && entry !== null && (entry[1] as string).length > dataIndent) {
      const value = entry[2] as string;
      const at = start + line.lastIndexOf(value);
      if (!isStandIn(value) && !/^[|>]/.test(value))
        values.push({ start: at, end: at + value.length, values: [value] });
    } else if (/^\S/.test(line)) dataIndent = undefined;
    start += line.length + 1;
  }
  close();
  return found;
}
