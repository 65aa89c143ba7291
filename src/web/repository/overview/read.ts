import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { sshAddress } from '../../../values/ssh-address.ts';
import { compileOperation } from '../../../operation.ts';
import type { Visit } from '../../site/visit.ts';
import { entriesOnPage, folderFields, type Folder } from '../files/folder.ts';

/** What the page of a project shows of its repository. */
export interface CodeOverview {
  /** The default branch; null while there is no branch. */
  readonly rootRef: string | null;
  /** The branch that the first push makes. */
  readonly firstBranch: string;
  /** The address for git over SSH; null if it isn't served. */
  readonly overSsh: string | null;
  /** Null if it can't be read now. */
  readonly folder: Folder | null;
}

interface Data {
  readonly repository: { readonly rootRef: string | null };
}

/** @returns the repository of a project that the viewer reads */
export function overviewReader(schema: GraphQLSchema): (visit: Visit, fullPath: string) => Promise<CodeOverview> {
  const readRoot = compileOperation<Data>(
    schema,
    'query ($project: ID!) { repository(project: $project) { rootRef } }',
  );
  const readFolder = compileOperation<{ readonly repository: { readonly tree: Folder } }>(
    schema,
    `query ($project: ID!, $ref: String!, $first: Int, $last: Int, $before: String, $after: String) {
      repository(project: $project) { tree(ref: $ref) { ${folderFields} } }
    }`,
  );
  return async ({ context }, project) => {
    const { rootRef } = (await readRoot.execute(context, { project })).repository;
    const overSsh = sshAddress(context.ssh, context.baseUrl, project);
    const nothing = { rootRef, firstBranch: 'main', overSsh, folder: null };
    if (rootRef === null) return nothing;
    try {
      const { tree } = (await readFolder.execute(context, { project, ref: rootRef, first: entriesOnPage })).repository;
      return { ...nothing, folder: tree };
    } catch (thrown) {
      // The rest of the page doesn't depend on git.
      if (!domainError(thrown)) throw thrown;
      return nothing;
    }
  };
}
