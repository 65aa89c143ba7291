import { objectSchema } from '../../engine/record.ts';
import { route, type AnyRoute, type StreamedBack } from '../../engine/route.ts';
import { archiveFormats, archiveType } from '../../../values/archive-formats.ts';
import { disposition } from '../../../values/sent-files.ts';

const tag = 'Repositories';

interface Data {
  readonly repository: { readonly archive: { readonly name: string; readonly open: StreamedBack['open'] } };
}

const archive = (ending: string) =>
  route<Data>({
    method: 'GET',
    path: `/api/v4/projects/:id/repository/archive${ending === '' ? '' : `.${ending}`}`,
    summary: `Get the files of a commit${ending === '' ? '' : ` as ${ending}`}`,
    tag,
    parameters: [
      { name: 'sha', type: 'string', description: 'A branch, a tag or a commit; the default branch if omitted.' },
      { name: 'path', type: 'string', description: 'Only what is in this folder.' },
      { name: 'exclude_paths', type: 'strings', description: 'But not what is at these paths; at most 100.' },
      ...(ending === ''
        ? [
            {
              name: 'format',
              type: 'string',
              description: `One of ${Object.keys(archiveFormats).join(', ')}.`,
            } as const,
          ]
        : []),
    ],
    operation: `query ($project: ID!, $ref: String, $path: String, $without: [String!], $format: String) {
      repository(project: $project) { archive(ref: $ref, path: $path, without: $without, format: $format) }
    }`,
    variables: ({ id, sha, path, exclude_paths: without, format }) => ({
      project: id,
      ref: sha,
      path,
      without,
      format: archiveFormats[ending || String(format ?? 'tar.gz')] ?? 'unknown',
    }),
    stream: ({ repository }) => {
      const { name, open } = repository.archive;
      return { contentType: archiveType(name), disposition: disposition('attachment', name), open };
    },
    record: { name: 'File', schema: objectSchema({}), present: () => ({}) },
    limits: {
      name: 'project_repositories_archive',
      per: 'id',
      viewer: { most: 5, seconds: 60 },
      anonymous: { most: 5, seconds: 60 },
    },
    refusals: [404],
    dialect: 'version 4',
  });

export const archiveRoutes: readonly AnyRoute[] = ['', ...Object.keys(archiveFormats)].map(archive);
