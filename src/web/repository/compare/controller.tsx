import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { seeOther, type Visit } from '../../site/visit.ts';
import { comparePath } from '../code/addresses.ts';
import { commitFields, type ShownCommit } from '../code/commit-line.tsx';
import { refFields, refsIn, type RefData } from '../code/refs.ts';
import { diffFields, shownDiffs, type FileDiff } from '../commits/patch.ts';
import { ComparePage, type Compared } from './view.tsx';

/** Commits and files that a page shows. */
const mostCommits = 100;
const mostFiles = 100;

interface CompareData {
  readonly compare: {
    readonly sameRef: boolean;
    readonly timedOut: boolean;
    readonly commits: readonly ShownCommit[];
    readonly diffs: readonly FileDiff[];
  };
}

/** Pages that compare revisions. */
export function comparePages(schema: GraphQLSchema): PlaceRoute[] {
  const readRefs = compileOperation<{ readonly repository: RefData & { readonly rootRef: string | null } }>(
    schema,
    `query ($project: ID!) { repository(project: $project) { rootRef ${refFields} } }`,
  );
  const compare = compileOperation<{ readonly repository: CompareData }>(
    schema,
    `query ($project: ID!, $from: String!, $to: String!) {
      repository(project: $project) {
        compare(from: $from, to: $to) { sameRef timedOut commits { ${commitFields} } diffs { ${diffFields} } }
      }
    }`,
  );

  /** Null if one of them isn't there. */
  async function compared({ context }: Visit, { fullPath }: PlaceHead, from: string, to: string) {
    try {
      const { sameRef, timedOut, commits, diffs } = (await compare.execute(context, { project: fullPath, from, to }))
        .repository.compare;
      return {
        isSame: sameRef,
        commits: commits.toReversed().slice(0, mostCommits),
        moreCommits: commits.length > mostCommits,
        files: shownDiffs(diffs.slice(0, mostFiles)),
        moreFiles: timedOut || diffs.length > mostFiles,
      } satisfies Compared;
    } catch (thrown) {
      if (domainError(thrown) instanceof NotFound) return null;
      throw thrown;
    }
  }

  return [
    {
      path: '/compare',
      name: 'compare',
      of: 'project',
      async get({ context, exchange, site }, place) {
        const { from = '', to = '' } = readQuery(exchange);
        if (from.trim() && to.trim()) return seeOther(comparePath(place, [from.trim(), to.trim()]));
        const { repository } = await readRefs.execute(context, { project: place.fullPath });
        return toAnswer(
          <ComparePage
            site={site}
            place={place}
            from={from || (repository.rootRef ?? '')}
            to={to}
            refs={refsIn(repository)}
            compared={null}
          />,
        );
      },
    },
    {
      path: '/compare/*',
      name: 'compare',
      of: 'project',
      async get(visit, place) {
        // No name of a branch or tag has two dots.
        const [, from, to] = /^(.+?)\.\.\.(.+)$/s.exec(visit.named['*'] ?? '') ?? [];
        if (from === undefined || to === undefined) return null;
        const found = await compared(visit, place, from, to);
        const { repository } = await readRefs.execute(visit.context, { project: place.fullPath });
        return toAnswer(
          <ComparePage
            site={visit.site}
            place={place}
            from={from}
            to={to}
            refs={refsIn(repository)}
            compared={found}
            problem={found ? undefined : 'One of them isn’t there.'}
          />,
          found ? 200 : 404,
        );
      },
    },
  ];
}
