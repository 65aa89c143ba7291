import type { Answer, Exchange } from '../../../http/index.ts';
import { contentTypeOf } from '../../../values/sent-files.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { fileAnswer, type FileBytes } from '../../site/records/file-answer.ts';

/** A file as it is. */
export interface RawFile {
  readonly name: string;
  readonly bytes: FileBytes;
}

export const rawFields = 'name bytes';

/** Media types of pictures: browsers show them and run nothing of them. SVG isn't one of them, it can hold scripts. */
const pictures: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** The media type of a picture; undefined for any other file. */
export const pictureType = (name: string): string | undefined =>
  pictures[/\.(?<ending>[a-z]+)$/i.exec(name)?.groups!.ending!.toLowerCase() ?? ''];

/** The file as it is: in the window, or saved. */
export function rawAnswer(exchange: Exchange, { name, bytes }: RawFile): Promise<Answer> {
  const type = pictureType(name) ?? (bytes.bytes ? contentTypeOf(bytes.bytes) : 'application/octet-stream');
  return fileAnswer(exchange, name, bytes, type, readQuery(exchange).inline === 'false' ? 'attachment' : 'inline');
}
