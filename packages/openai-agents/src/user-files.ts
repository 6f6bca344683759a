import {
  changeFiles,
  type HeardMessage,
  keepsFiles,
  type OtherFile,
  readFiles,
  type SentFile,
  toDataAddress,
} from '@spec/hooks/host';
import { changeUserText, readUserText, type UserItem } from './items.ts';

type Heard = Extract<HeardMessage, { isDenied: false }>;
type Parts = Exclude<UserItem['content'], string>;

/** The files of a message of the user: images, files and sound. */
export function readItemFiles({ content }: UserItem): Promise<readonly SentFile[]> {
  return readFiles(typeof content === 'string' ? [] : content);
}

/** A message of the user as hooks have left it. The same object where they have left it alone. */
export function changeUser(item: UserItem, files: readonly SentFile[], heard: Heard): UserItem {
  const changed = heard.content === readUserText(item) ? item : changeUserText(item, heard.content);
  if (keepsFiles(heard)) return changed;
  const { content } = changed;
  const parts: Parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
  return { ...changed, content: [...changeFiles(parts, files, heard), ...heard.added.map(makePart)] };
}

function makePart(file: OtherFile): Parts[number] {
  const { mimeType, name: filename, url } = file;
  const source = url ?? toDataAddress(file);
  return mimeType.startsWith('image/')
    ? { type: 'input_image', image: source }
    : { type: 'input_file', file: source, filename };
}
