import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { archiveFormats, archiveType } from '../../../values/archive-formats.ts';
import type { PlaceRoute } from '../../places/place/route.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { fileAnswer, type FileBytes } from '../../site/records/file-answer.ts';
import { found } from '../code/found.ts';

const endings = Object.keys(archiveFormats).map((ending) => ending.replaceAll('.', String.raw`\.`));
const address = new RegExp(`^(?<named>.+?)\\.(?<ending>${endings.join('|')})$`);

/**
 * The files of a commit at the address that build tools and package managers fetch:
 * `archive/v1.2/boat-v1.2.tar.gz`, or `archive/v1.2.tar.gz`. They rely on the folder in it being `boat-v1.2`.
 */
export function archivePage(schema: GraphQLSchema): PlaceRoute {
  const read = compileOperation<{
    readonly repository: { readonly archive: FileBytes & { readonly name: string } };
  }>(
    schema,
    `query ($project: ID!, $ref: String!, $path: String, $format: String!, $appendSha: Boolean!) {
      repository(project: $project) { archive(ref: $ref, path: $path, format: $format, appendSha: $appendSha) }
    }`,
  );
  return {
    path: '/archive/*',
    name: 'archive',
    of: 'project',
    async get({ context, named, exchange }, { fullPath }) {
      const parts = address.exec(named['*'] ?? '')?.groups;
      if (!parts) return null;
      const whole = parts.named!;
      const file = whole.slice(whole.lastIndexOf('/') + 1);
      const { path, append_sha: asked } = readQuery(exchange);
      const project = fullPath.slice(fullPath.lastIndexOf('/') + 1);
      // A ref may have slashes, and the name of the file may be left out.
      for (const ref of file === whole ? [whole] : [whole.slice(0, -file.length - 1), whole]) {
        const isPlain = file === `${project}-${ref.replaceAll('/', '-')}`;
        const data = await found(
          read.execute(context, {
            project: fullPath,
            ref,
            path,
            format: archiveFormats[parts.ending!],
            appendSha: asked === undefined ? !isPlain : asked !== 'false',
          }),
        );
        if (!data) continue;
        const { archive } = data.repository;
        return await fileAnswer(exchange, archive.name, archive, archiveType(archive.name), 'attachment');
      }
      return null;
    },
  };
}
