import { PassThrough, Readable } from 'node:stream';
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import { BadRequest, NotFound } from '../../../errors.ts';
import type { FileReader } from '../../../storage/files.ts';

/**
 * Single files out of an archive, which someone’s job made: nothing in it is trusted. Nothing is unpacked to the disk or
 * kept in memory; names are only compared; links are never followed.
 */

/** A file of an archive. */
export interface ArchivedFile {
  readonly path: string;
  /** Unpacked, as the archive says; reading more fails. */
  readonly size: number;
}

/** Most entries that are looked at. */
const mostEntries = 100_000;
/** How much is read at a time. */
const pieceSize = 65_536;

class StoredReader extends RandomAccessReader {
  readonly #file: FileReader;

  constructor(file: FileReader) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const file = this.#file;
    let position = start;
    return new Readable({
      highWaterMark: pieceSize,
      read() {
        file.read(position, Math.min(pieceSize, end - position)).then(
          (piece) => {
            position += piece.length;
            this.push(piece.length === 0 ? null : piece);
          },
          (error: Error) => this.destroy(error),
        );
      },
    });
  }

  override close(done: (error: Error | null) => void): void {
    this.#file.close().then(
      () => done(null),
      (error: Error) => done(error),
    );
  }
}

const isFolder = (name: string) => name.endsWith('/');

/** The kind of file, of the upper half of `external file attributes`, where Unix made the archive. */
const kindOfFile = ({ externalFileAttributes, versionMadeBy }: Entry) =>
  versionMadeBy >> 8 === 3 ? (externalFileAttributes >>> 16) & 0o170000 : 0;

const isRegular = (entry: Entry) => [0, 0o100000].includes(kindOfFile(entry));

async function openZip(file: FileReader, size: number): Promise<ZipFile> {
  try {
    // Names stay bytes: yauzl would refuse a whole archive for one that it doesn’t like.
    const options = { lazyEntries: true, decodeStrings: false, autoClose: false, validateEntrySizes: true };
    return await fromRandomAccessReaderPromise(new StoredReader(file), size, options);
  } catch {
    await file.close();
    throw new NotFound('File');
  }
}

/** Visits the entries, in their order. @throws NotFound if the archive is broken */
async function visit(zip: ZipFile, see: (entry: Entry, name: string) => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let seen = 0;
    zip.on('error', () => reject(new NotFound('File')));
    zip.on('end', resolve);
    zip.on('entry', (entry: Entry) => {
      if (++seen > mostEntries) return reject(new BadRequest('The archive has too many files.'));
      see(entry, (entry.fileName as unknown as Buffer).toString());
      zip.readEntry();
    });
    zip.readEntry();
  });
}

/** Whether a path can name a file of an archive. */
export const isPlainPath = (path: string): boolean =>
  path !== '' &&
  !/[\0\\]|^\//.test(path) &&
  !path.split('/').some((part) => part === '' || part === '.' || part === '..');

/**
 * One file of an archive. Of several with the same name the last counts, as when it is unpacked.
 * @param most bytes that it may have, unpacked
 * @throws NotFound if there is none; BadRequest for one that is encrypted, packed in another way, or larger
 */
export async function fileInZip(
  file: FileReader,
  archiveSize: number,
  path: string,
  most: number,
): Promise<ArchivedFile & { readonly open: () => Promise<Readable>; readonly close: () => void }> {
  const zip = await openZip(file, archiveSize);
  try {
    let found: Entry | undefined;
    await visit(zip, (entry, name) => {
      if (name === path) found = entry;
    });
    if (!found || isFolder(path) || !isRegular(found)) throw new NotFound('File');
    const entry = found;
    if (entry.isEncrypted()) throw new BadRequest('The file is encrypted.');
    if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
      throw new BadRequest('The file is packed in a way that isn’t supported.');
    if (entry.uncompressedSize > most) throw new BadRequest('The file is too large.');
    return {
      path,
      size: entry.uncompressedSize,
      close: () => zip.close(),
      open: async () => {
        const stream = await new Promise<Readable>((resolve, reject) => {
          zip.openReadStream(entry, (error, opened) => (error ? reject(new NotFound('File')) : resolve(opened)));
        });
        const sent = new PassThrough();
        stream.on('error', () => sent.destroy(new BadRequest('The archive is broken.')));
        sent.on('close', () => {
          stream.destroy();
          zip.close();
          file.close().catch(() => undefined);
        });
        return stream.pipe(sent);
      },
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}
