import type { OutgoingHttpHeaders } from 'node:http';
import { objectSchema, type Record } from '../../engine/record.ts';
import { text } from '../../engine/schemas.ts';

export interface FileData {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly contentSha256: string | null;
  readonly ref: string;
  readonly oid: string;
  readonly commitId: string;
  readonly lastCommitId: string;
  readonly executable: boolean;
  /** Base64. */
  readonly content: string;
}

/** What is known of a file without its content. */
export const factFields = 'name path size contentSha256 ref oid commitId lastCommitId executable';

/** The fields that operations select for the record. */
export const fileFields = `${factFields} content`;

/** A file of a repository. */
export const RepositoryFile: Record<FileData> = {
  name: 'RepositoryFile',
  schema: objectSchema({
    file_name: text,
    file_path: text,
    size: { type: 'integer', description: 'In bytes.' },
    encoding: { type: 'string', enum: ['base64'] },
    content_sha256: { type: ['string', 'null'] },
    ref: text,
    blob_id: text,
    commit_id: text,
    last_commit_id: text,
    execute_filemode: { type: 'boolean' },
    content: { ...text, description: 'Base64.' },
  }),
  present: (file) => ({
    file_name: file.name,
    file_path: file.path,
    size: file.size,
    encoding: 'base64',
    content_sha256: file.contentSha256,
    ref: file.ref,
    blob_id: file.oid,
    commit_id: file.commitId,
    last_commit_id: file.lastCommitId,
    execute_filemode: file.executable,
    content: file.content,
  }),
};

/** A text as a header can carry it: everything but visible ASCII becomes `%` and its bytes (contract S25). */
const inHeader = (value: string) => value.replaceAll(/[^\x20-\x7e]+/g, encodeURIComponent);

/** What is known of a file, as headers: clients ask for these by HEAD. */
export const fileFacts = (file: Omit<FileData, 'content'>): OutgoingHttpHeaders => ({
  'x-gitlab-blob-id': file.oid,
  'x-gitlab-commit-id': file.commitId,
  ...(file.contentSha256 !== null && { 'x-gitlab-content-sha256': file.contentSha256 }),
  'x-gitlab-encoding': 'base64',
  'x-gitlab-execute-filemode': String(file.executable),
  'x-gitlab-file-name': inHeader(file.name),
  'x-gitlab-file-path': inHeader(file.path),
  'x-gitlab-last-commit-id': file.lastCommitId,
  'x-gitlab-ref': inHeader(file.ref),
  'x-gitlab-size': String(file.size),
});
