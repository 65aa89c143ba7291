import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { contentOf, readInfo, streamBlob, type FileEntry } from '../../../git/objects/index.ts';
import { lastCommitOf } from '../../../git/history/index.ts';
import type { ObjectInfo } from '../../../git/pool/objects.ts';
import type { Repository } from '../../../git/repository.ts';
import { builder } from '../../engine/builder.ts';
import { hold } from '../repositories/hold.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { encodedPath } from '../../../values/text/file-path.ts';

/** A file at a commit. */
export interface FileRecord extends FileEntry {
  readonly repository: RepositoryRecord;
  /** The revision as it was asked for. */
  readonly ref: string;
  readonly path: string;
  /** The commit that the revision stands for. */
  readonly commit: string;
}

const nameOf = ({ path }: FileRecord) => path.slice(path.lastIndexOf('/') + 1);
const pathIn = ({ repository, ref, path }: FileRecord, page: 'blob' | 'raw') =>
  `/${repository.fullPath}/-/${page}/${encodeURIComponent(ref)}/${encodedPath(path)}`;

const contents = new WeakMap<FileRecord, Promise<Buffer>>();

/** The bytes of a file, read once for all fields. @throws TooLarge */
async function bytesOf(file: FileRecord, context: Context): Promise<Buffer> {
  const known = contents.get(file);
  if (known) return await known;
  hold(context, file.size);
  const found = readWhole(context, file.repository.id, file.repository.git!, file);
  contents.set(file, found);
  return await found;
}

/** Bytes from which reading a file whole counts (contract §7). */
const large = 10 * 2 ** 20;

/** Reads what a file contains. @throws TooLarge; RateLimited for a large one, if the door counts them */
async function readWhole(context: Context, projectId: number, git: Repository, file: ObjectInfo) {
  if (file.size > large) await context.countLargeRead?.(projectId);
  return await contentOf(git, file);
}

/** Bytes of a file that are read into memory to be sent. */
const sentAtOnce = 2 ** 20;

/** Whether bytes are no text: as git decides, by a NUL among the first 8,000. */
const isBinary = (bytes: Buffer) => bytes.subarray(0, 8_000).includes(0);

export const RepositoryBlob = builder.objectRef<FileRecord>('RepositoryBlob').implement({
  description: 'A file of a repository.',
  fields: (t) => ({
    id: t.id({ direct: true, resolve: ({ id }) => `gid://gitlab/Blob/${id}` }),
    oid: t.exposeString('id', { description: 'The name of the object.' }),
    name: t.string({ nullable: true, direct: true, resolve: nameOf }),
    path: t.exposeString('path'),
    ref: t.exposeString('ref', { description: 'The revision as you asked for it.' }),
    mode: t.exposeString('mode', { nullable: true, description: 'As in git, six digits.' }),
    size: t.float({ description: 'In bytes.', direct: true, resolve: ({ size }) => size }),
    rawBlob: t.string({
      nullable: true,
      description: 'What it contains; bytes that are no UTF-8 become U+FFFD.',
      resolve: async (file, _args, context) => (await bytesOf(file, context)).toString(),
    }),
    rawTextBlob: t.string({
      nullable: true,
      description: 'What it contains; null if that is no text.',
      args: { upTo: t.arg.int({ description: 'Null, too, for a file of more bytes than this.' }) },
      resolve: async (file, { upTo }, context) => {
        if (upTo != null && file.size > upTo) return null;
        const bytes = await bytesOf(file, context);
        return isBinary(bytes) ? null : bytes.toString();
      },
    }),
    content: t.field({
      type: 'Base64',
      description: 'What it contains, byte for byte.',
      resolve: async (file, _args, context) => await bytesOf(file, context),
    }),
    bytes: t.field({
      type: 'Bytes',
      nullable: true,
      description: 'What it contains, however much.',
      resolve: async (file, _args, context) => ({
        name: nameOf(file),
        size: file.size,
        ...(file.size <= sentAtOnce && { bytes: await bytesOf(file, context) }),
        open: () => streamBlob(file.repository.git!, file),
      }),
    }),
    contentSha256: t.string({
      nullable: true,
      description:
        'SHA-256 of what it contains, in hexadecimal digits; null for a file that is too large to be read at once.',
      resolve: async (file, _args, context) =>
        file.size > file.repository.git!.limits.blob
          ? null
          : createHash('sha256')
              .update(await bytesOf(file, context))
              .digest('hex'),
    }),
    executable: t.boolean({ direct: true, resolve: ({ mode }) => mode === '100755' }),
    commitId: t.exposeString('commit', { description: 'The commit that the revision stands for.' }),
    lastCommitId: t.string({
      description: 'The last commit that changed it.',
      resolve: async ({ repository, commit, path }) => (await lastCommitOf(repository.git!, commit, path)) ?? commit,
    }),
    lfsOid: t.string({ nullable: true, description: 'Always null.', direct: true, resolve: () => null }),
    webPath: t.string({ nullable: true, direct: true, resolve: (file) => pathIn(file, 'blob') }),
    rawPath: t.string({ nullable: true, direct: true, resolve: (file) => pathIn(file, 'raw') }),
  }),
});

/** A blob by its name, without a place. */
export interface BlobRecord extends ObjectInfo {
  readonly git: Repository;
  readonly projectId: number;
}

/** @returns undefined if there is no blob of that name */
export async function blobIn({ git, id: projectId }: RepositoryRecord, name: string): Promise<BlobRecord | undefined> {
  const found = git && (await readInfo(git, name));
  return git && found?.type === 'blob' ? { ...found, git, projectId } : undefined;
}

export const GitBlob = builder.objectRef<BlobRecord>('GitBlob').implement({
  description: 'What some file contains, by the name of the object.',
  fields: (t) => ({
    sha: t.exposeString('id', { description: 'Its name.' }),
    size: t.int({ description: 'In bytes.', direct: true, resolve: ({ size }) => size }),
    content: t.field({
      type: 'Base64',
      resolve: async (blob, _args, context) => {
        hold(context, blob.size);
        return await readWhole(context, blob.projectId, blob.git, blob);
      },
    }),
    bytes: t.field({
      type: 'Bytes',
      nullable: true,
      description: 'What it contains, however much.',
      resolve: async (blob) => ({
        name: blob.id,
        size: blob.size,
        ...(blob.size <= sentAtOnce && { bytes: await contentOf(blob.git, blob) }),
        open: () => streamBlob(blob.git, blob),
      }),
    }),
  }),
});
