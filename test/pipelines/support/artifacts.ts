import { gzipSync } from 'node:zlib';
import { ZipFile } from 'yazl';

/** A zip archive. @param files contents by path */
export function zipOf(files: Readonly<Record<string, string | Buffer>>, mode?: number): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content as string), path, mode === undefined ? {} : { mode });
  zip.end();
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    zip.outputStream.on('data', (piece: Buffer) => pieces.push(piece));
    zip.outputStream.on('end', () => resolve(Buffer.concat(pieces)));
    zip.outputStream.on('error', reject);
  });
}

/** An archive in which every mention of a name is another one of the same length, which no library would write. */
export async function zipNaming(name: string, content: string, mode?: number): Promise<Buffer> {
  const placeholder = 'x'.repeat(Buffer.byteLength(name));
  const zip = await zipOf({ [placeholder]: content }, mode);
  const text = zip.toString('latin1').replaceAll(placeholder, Buffer.from(name).toString('latin1'));
  return Buffer.from(text, 'latin1');
}

export interface Sent {
  readonly kind?: string;
  readonly format?: string;
  readonly expireIn?: string;
  readonly filename?: string;
  readonly field?: string;
  readonly token?: string;
}

/** Sends a file as the runner of a job does. */
export async function upload(
  at: { readonly url: string },
  job: { readonly id: number; readonly token: string },
  bytes: Buffer,
  { kind, format, expireIn, filename = 'artifacts.zip', field = 'file', token = job.token }: Sent = {},
) {
  const form = new FormData();
  form.append('other', 'field');
  form.append(field, new Blob([new Uint8Array(bytes)]), filename);
  const query = new URLSearchParams({
    ...(kind && { artifact_type: kind }),
    ...(format && { artifact_format: format }),
    ...(expireIn !== undefined && { expire_in: expireIn }),
  });
  const answer = await fetch(`${at.url}/api/v4/jobs/${job.id}/artifacts?${query}`, {
    method: 'POST',
    headers: { 'job-token': token },
    body: form,
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown), headers: answer.headers };
}

export const gzip = (text: string) => gzipSync(Buffer.from(text));
