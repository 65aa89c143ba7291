import type { GraphQLSchema } from 'graphql';
import { Conflict, PlainUnprocessable } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import { restrict } from '../../places/place/restrict.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import type { Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { compileMutation } from '../../site/mutation.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { protectionPath, removalPath } from '../code/addresses.ts';
import { levels, Protection, type Draft, type Shown, type ShownBranchRule, type ShownTagRule } from './view.tsx';

const kinds = ['branches', 'tags'] as const;
type Kind = (typeof kinds)[number];

/** A level of a form; maintainers for what no form has. */
const levelIn = (given: string | undefined): string =>
  levels.some(({ value }) => value === given) ? given! : levels[0].value;

const draftIn = (form: Fields): Omit<Draft, 'error'> => ({
  kind: form.kind === 'tags' ? 'tags' : 'branches',
  name: (form.kind === 'tags' ? (form.tag ?? '') : (form.branch ?? '')).trim(),
  push: levelIn(form.push),
  merge: levelIn(form.merge),
  force: form.force !== undefined,
  create: levelIn(form.create),
});

const restricted = restrict(({ userPermissions: may }) =>
  may.adminProject ? undefined : 'You need the Maintainer role to protect branches and tags.',
);

/** The pages of the rules that protect branches and tags, for maintainers. */
export function protectionPages(schema: GraphQLSchema): PlaceRoute[] {
  const level = 'accessLevelDescription';
  const read = compileOperation<{
    readonly repository: { readonly branches: Shown<ShownBranchRule>; readonly tags: Shown<ShownTagRule> };
  }>(
    schema,
    `query ($project: ID!) {
      repository: repositoryForProtecting(project: $project) {
        branches: branchRules(first: 100) {
          nodes {
            name
            branchProtection {
              allowForcePush pushAccessLevels { nodes { ${level} } } mergeAccessLevels { nodes { ${level} } }
            }
          }
          pageInfo { hasNextPage }
        }
        tags: tagRules(first: 100) { nodes { name createAccessLevels { ${level} } } pageInfo { hasNextPage } }
      }
    }`,
  );
  const makers = {
    branches: compileMutation(schema, 'branchRuleCreate'),
    tags: compileMutation(schema, 'tagRuleCreate'),
  };
  const removers = {
    branches: compileMutation(schema, 'branchRuleDelete'),
    tags: compileMutation(schema, 'tagRuleDelete'),
  };

  async function show({ context, site }: Visit, place: PlaceHead, draft?: Draft): Promise<Answer> {
    const { repository } = await read.execute(context, { project: place.fullPath });
    return toAnswer(<Protection site={site} place={place} {...repository} draft={draft} />, draft ? 422 : 200);
  }

  const make = (context: Visit['context'], { fullPath: projectPath }: PlaceHead, draft: Omit<Draft, 'error'>) => {
    const { kind, name, push, merge, force, create } = draft;
    const only = (given: string) => [{ accessLevel: Number(given) }];
    const branchProtection = {
      pushAccessLevels: only(push),
      mergeAccessLevels: only(merge),
      allowForcePush: force,
    };
    const rule = kind === 'tags' ? { createAccessLevel: Number(create) } : { branchProtection };
    return makers[kind].execute(context, { input: { projectPath, name, ...rule } });
  };

  /** The page that asks before a rule is deleted. */
  const removing = (kind: Kind): PlaceRoute => ({
    path: `/settings/repository/${kind}/*`,
    name: `stop protecting ${kind}`,
    of: 'project',
    forPeople: true,
    get(visit, place) {
      const name = visit.named['*'] ?? '';
      return placeQuestion(visit, place, 'protection', {
        title: `Stop protecting ${name}?`,
        says:
          kind === 'branches'
            ? 'Developers may push to these branches, force push and delete them, unless another rule says otherwise.'
            : 'Developers may make, move and delete these tags, unless another rule says otherwise.',
        does: 'Stop protecting',
        action: removalPath(place, kind, name),
        back: protectionPath(place),
      });
    },
    async post(visit, place) {
      const rule = visit.named['*'] ?? '';
      const which = kind === 'tags' ? { name: rule } : { rule };
      await removers[kind].execute(visit.context, { input: { projectPath: place.fullPath, ...which } });
      return seeOtherSaying('protection_ended', protectionPath(place), visit);
    },
  });

  const pages: PlaceRoute[] = [
    {
      path: '/settings/repository',
      name: 'protection',
      of: 'project',
      forPeople: true,
      get: (visit, place) => show(visit, place),
      async post(visit, place, form) {
        const draft = draftIn(form);
        try {
          await make(visit.context, place, draft);
        } catch (problem) {
          if (!(problem instanceof Conflict || problem instanceof PlainUnprocessable)) throw problem;
          return await show(visit, place, { ...draft, error: problem.message });
        }
        return seeOtherSaying('protection_begun', protectionPath(place), visit);
      },
    },
    ...kinds.map(removing),
  ];
  return pages.map(restricted);
}
