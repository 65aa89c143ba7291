import type { Readable } from 'node:stream';
import type { Answer, Exchange } from '../../../http/index.ts';
import { disposition, filePolicy, uncached } from '../../../values/sent-files.ts';

/** What an operation gives of a file: all of it, or what opens it. */
export type FileBytes =
  | { readonly bytes: Buffer; readonly open?: () => Promise<Readable> }
  | { readonly bytes?: undefined; readonly open: () => Promise<Readable> };

/** A file as it is. @param type one that shows texts or pictures, or that saves the file: a browser runs nothing of it */
export async function fileAnswer(
  { request }: Exchange,
  name: string,
  file: FileBytes,
  type: string,
  kind: 'inline' | 'attachment',
): Promise<Answer> {
  const headers = {
    ...uncached,
    'content-type': type,
    'content-disposition': disposition(kind, name),
    ...filePolicy,
    'x-frame-options': 'DENY',
  };
  const answer = { status: 200, headers, body: file.bytes ?? null };
  return file.bytes || request.method === 'HEAD' ? answer : { ...answer, stream: await file.open() };
}
