import type { Readable } from 'node:stream';
import type { Answer, Exchange } from '../../../http/index.ts';
import { contentTypeOf, disposition, uncached } from '../../../values/sent-files.ts';
import { readQuery } from '../../site/fields.ts';

/** A file as it is. */
export interface RawFile {
  readonly name: string;
  readonly bytes: { readonly bytes?: Buffer; readonly open: () => Promise<Readable> };
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

/**
 * The file as it is. A browser runs nothing of it: its media type is one that shows texts or pictures, or that saves it,
 * and the policy puts it into a sandbox.
 */
export async function rawAnswer(exchange: Exchange, { name, bytes: { bytes, open } }: RawFile): Promise<Answer> {
  const saves = readQuery(exchange).inline === 'false';
  const headers = {
    ...uncached,
    'content-type': pictureType(name) ?? (bytes ? contentTypeOf(bytes) : 'application/octet-stream'),
    'content-disposition': disposition(saves ? 'attachment' : 'inline', name),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-frame-options': 'DENY',
  };
  const answer = { status: 200, headers, body: bytes ?? null };
  return bytes || exchange.request.method === 'HEAD' ? answer : { ...answer, stream: await open() };
}
