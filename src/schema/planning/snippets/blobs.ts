import type { SnippetRecord } from './statements/reading.ts';
import { readFiles, type SnippetFileRecord } from './statements/files.ts';
import { NotFound } from '../../../errors.ts';
import { batchedLists } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { connectionOf, offsetArg, resolveArrayPage, usually } from '../../engine/page.ts';
import { branch, rawPath, Snippet } from './types.ts';

/** The files of snippets, as GitLab's blobs. */

/** A file of a snippet that the viewer reads. */
interface Blob extends SnippetFileRecord {
  readonly snippet: SnippetRecord;
}

const nameOf = ({ path }: Blob) => path.slice(path.lastIndexOf('/') + 1);

const SnippetFile = builder.objectRef<Pick<Blob, 'snippet' | 'path'>>('SnippetFile').implement({
  description: 'The place of a file of a snippet.',
  fields: (t) => ({
    path: t.exposeString('path'),
    rawUrl: t.string({
      description: 'The address of the file as it is.',
      resolve: ({ snippet, path }, _args, { baseUrl }) => `${baseUrl}${rawPath(snippet, path)}`,
    }),
  }),
});

const SnippetBlob = builder.objectRef<Blob>('SnippetBlob').implement({
  description: 'A file of a snippet.',
  fields: (t) => ({
    name: t.string({
      nullable: true,
      description: 'The last part of its path.',
      direct: true,
      resolve: nameOf,
    }),
    path: t.exposeString('path', { nullable: true }),
    size: t.int({ description: 'In bytes.', direct: true, resolve: ({ content }) => Buffer.byteLength(content) }),
    binary: t.boolean({ description: 'Always false: snippets are text.', direct: true, resolve: () => false }),
    mode: t.string({ nullable: true, description: 'As in git.', direct: true, resolve: () => '100644' }),
    externalStorage: t.string({
      nullable: true,
      description: 'Null: no file lies elsewhere.',
      direct: true,
      resolve: () => null,
    }),
    renderedAsText: t.boolean({
      description: 'Always true: files are shown as text.',
      direct: true,
      resolve: () => true,
    }),
    rawPath: t.string({
      description: 'The path of the file as it is.',
      direct: true,
      resolve: ({ snippet, path }) => rawPath(snippet, path),
    }),
    rawUrl: t.string({
      description: 'The address of the file as it is.',
      resolve: ({ snippet, path }, _args, { baseUrl }) => `${baseUrl}${rawPath(snippet, path)}`,
    }),
    rawPlainData: t.exposeString('content', { nullable: true, description: 'What it contains.' }),
  }),
});

builder.objectFields(Snippet, (t) => ({
  file: t.field({
    type: SnippetBlob,
    description: 'One of its files.',
    args: {
      ref: t.arg.string({ defaultValue: branch, description: `Always \`${branch}\` or \`HEAD\`.` }),
      path: t.arg.string({ required: true }),
    },
    resolve: async (snippet, { ref, path }, context): Promise<Blob> => {
      if (ref !== branch && ref !== 'HEAD') throw new NotFound('Reference');
      const [file] = await filesOf(context, snippet.id, [path]);
      if (!file) throw new NotFound('File');
      return { ...file, snippet };
    },
  }),
  blob: t.field({
    type: SnippetBlob,
    nullable: true,
    deprecationReason: 'Use `blobs`.',
    description: 'Its first file.',
    resolve: async (snippet, _args, context): Promise<Blob | null> => {
      const [file] = await filesOf(context, snippet.id, null);
      return file ? { ...file, snippet } : null;
    },
  }),
  files: t.field({
    type: [SnippetFile],
    description: 'Its files, without what they contain.',
    resolve: (snippet) => snippet.paths.map((path) => ({ snippet, path })),
  }),
}));

const filesOf = batchedLists(
  async ({ database }, snippets, paths: readonly string[] | null) => await database.rows(readFiles, [snippets, paths]),
  ({ snippet_id: id }) => id,
);

builder.objectField(Snippet, 'blobs', (t) =>
  t.connection(
    {
      type: SnippetBlob,
      nullable: true,
      description: 'Its files.',
      ...usually(10),
      args: { ...offsetArg, paths: t.arg.stringList({ description: 'Only those with these paths.' }) },
      resolve: async (snippet, { paths, ...args }, context) => {
        const files = await filesOf(context, snippet.id, paths ?? null);
        return resolveArrayPage(
          args,
          files.map((file): Blob => ({ ...file, snippet })),
          ({ path }) => path,
        ) as never;
      },
    },
    connectionOf(SnippetBlob) as never,
  ),
);
