import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { Readable } from 'node:stream';
import { BadRequest, TooLarge } from '../../../errors.ts';

/**
 * Reads the one file of a form, piece by piece: nothing of it is kept in memory. Its name isn’t looked at.
 * @param most bytes that it may have
 * @param take is called with each piece, and waited for
 * @throws BadRequest if it is no such form, or ends early; TooLarge
 */
export async function readFileOfForm(
  { body, contentType }: { readonly body: Readable; readonly contentType: string },
  most: number,
  take: (piece: Buffer) => Promise<void>,
): Promise<void> {
  const busboy = begin(contentType, most);
  let isThere = false;
  let taken: Promise<void> = Promise.resolve();
  const parsed = new Promise<void>((resolve, reject) => {
    busboy.on('file', (field, stream) => {
      stream.on('error', () => reject(broken()));
      if (field !== 'file' || isThere) return void stream.resume();
      isThere = true;
      taken = (async () => {
        for await (const piece of stream) await take(piece as Buffer);
        if (stream.truncated) throw new TooLarge('413 Request Entity Too Large');
      })();
      taken.catch(reject);
    });
    busboy.on('finish', resolve);
    busboy.on('error', () => reject(broken()));
    body.on('error', () => reject(broken()));
    body.on('close', () => (body.readableEnded ? undefined : reject(broken())));
    body.pipe(busboy);
  });
  try {
    await parsed;
    await taken;
  } catch (error) {
    // The rest of the body is the door's: it drops it, and answers.
    body.unpipe(busboy);
    taken.catch(() => undefined);
    busboy.destroy();
    throw error;
  }
  if (!isThere) throw new BadRequest('file is missing');
}

const broken = () => new BadRequest('The form can’t be read.');

function begin(contentType: string, most: number) {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw new BadRequest('file is missing');
  const headers = { 'content-type': contentType } as BusboyHeaders;
  try {
    return new Busboy({
      headers,
      limits: { fileSize: most, files: 2, fields: 20, fieldSize: 10_000, headerPairs: 20, parts: 25 },
    });
  } catch {
    throw broken();
  }
}
