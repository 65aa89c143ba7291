import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { isDay } from '../../../values/time/calendar.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import { restrict } from '../../places/place/restrict.ts';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { compileMutation } from '../../site/mutation.ts';
import { orNull, stillThere } from '../../site/missing.ts';
import { furtherCursor, pageArguments, pageInfoFields, pagesAround, type Paged } from '../../site/records/paging.ts';
import { isRecordNumber } from '../../site/paths.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { allSentences } from '../../site/words.ts';
import { deployKeysPath, EditKey, emptyDraft, KeyList, type KeyDraft, type KeyErrors, type ShownKey } from './view.tsx';

/** Keys on a page, and keys that are offered. */
const size = 30;

const keyFields = 'id: databaseId title key fingerprintSha256 canPush public createdAt expiresAt lastUsedAt';

/** The cursor of the keys that may be enabled: the usual one is that of the keys of the project. */
const ofAvailable = furtherCursor('available');

type Operations = ReturnType<typeof operationsOf>;

function operationsOf(schema: GraphQLSchema) {
  const readOne = compileOperation<{ readonly deployKey: ShownKey }>(
    schema,
    `query ($project: ID!, $id: DeployKeyID!) { deployKey(project: $project, id: $id) { ${keyFields} } }`,
  );
  return {
    readList: compileOperation<{
      readonly keys: Paged<ShownKey>;
      readonly project: { readonly available: Paged<ShownKey> | null } | null;
    }>(
      schema,
      `query ($project: ID!, $first: Int, $last: Int, $before: String, $after: String, ${ofAvailable.declared}) {
        keys: projectDeployKeys(project: $project, first: $first, last: $last, before: $before, after: $after) {
          nodes { ${keyFields} } ${pageInfoFields}
        }
        project(fullPath: $project) {
          available: availableDeployKeys(${ofAvailable.given}) { nodes { ${keyFields} } ${pageInfoFields} }
        }
      }`,
    ),
    /** The key of the address; null if the project doesn't have it. */
    async find({ context, named: { id } }: Visit, { fullPath }: PlaceHead): Promise<ShownKey | null> {
      if (!isRecordNumber(id)) return null;
      const found = await orNull(readOne.execute(context, { project: fullPath, id }));
      return found && found.deployKey;
    },
    create: compileMutation(schema, 'deployKeyCreate'),
    update: compileMutation(schema, 'deployKeyUpdate'),
    enable: compileMutation(schema, 'deployKeyEnable'),
    remove: compileMutation(schema, 'deployKeyDelete'),
  };
}

/** The deploy keys of a project, for its maintainers. */
export function deployKeyPages(schema: GraphQLSchema): PlaceRoute[] {
  const operations = operationsOf(schema);
  return [list, enabling, editing, removal].map((page) => restricted(page(operations)));
}

const restricted = restrict(({ userPermissions: may }) =>
  may.adminProject ? undefined : 'You need the Maintainer role to see and change deploy keys.',
);

const list = (operations: Operations): PlaceRoute => ({
  path: '/deploy_keys',
  name: 'deploy keys',
  of: 'project',
  forPeople: true,
  get: (visit, place) => show(operations, visit, place),
  async post(visit, place, form) {
    const draft: KeyDraft = {
      key: form.key ?? '',
      title: (form.title ?? '').trim(),
      expiresAt: form.expires_at ?? '',
      canPush: form.can_push !== undefined,
    };
    const { expiresAt, ...given } = draft;
    if (expiresAt !== '' && !isDay(expiresAt))
      return await show(operations, visit, place, draft, { expiresAt: ['The expiry must be a day.'] });
    const expiry = expiresAt === '' ? {} : { expiresAt: `${expiresAt}T00:00:00Z` };
    try {
      const input = { projectPath: place.fullPath, ...given, ...expiry };
      await operations.create.execute(visit.context, { input });
    } catch (problem) {
      return await show(operations, visit, place, draft, errorsOf(problem));
    }
    return seeOtherSaying('deploy_key_added', deployKeysPath(place), visit);
  },
});

async function show(
  { readList }: Operations,
  { site, context, exchange }: Visit,
  place: PlaceHead,
  draft = emptyDraft,
  errors?: KeyErrors,
): Promise<Answer> {
  const query = readQuery(exchange);
  const { keys, project } = await readList.execute(context, {
    project: place.fullPath,
    ...pageArguments(query, size),
    ...ofAvailable.variables(query, size),
  });
  const { available } = stillThere(project);
  return toAnswer(
    <KeyList
      site={site}
      place={place}
      keys={keys.nodes}
      available={available?.nodes ?? []}
      pages={pagesAround(deployKeysPath(place), query, keys.pageInfo)}
      availablePages={
        available
          ? pagesAround(deployKeysPath(place), query, available.pageInfo, ofAvailable.names)
          : { before: null, after: null }
      }
      draft={draft}
      errors={errors}
    />,
    errors ? 422 : 200,
    { scripts: keys.nodes.length + (available?.nodes.length ?? 0) > 0 },
  );
}

const enabling = ({ enable }: Operations): PlaceRoute => ({
  path: '/deploy_keys/:id/enable',
  name: 'enable deploy key',
  of: 'project',
  forPeople: true,
  leadsTo: (_visit, place) => deployKeysPath(place),
  async post(visit, place) {
    const { id } = visit.named;
    if (!isRecordNumber(id)) return null;
    await enable.execute(visit.context, { input: { projectPath: place.fullPath, id } });
    return seeOtherSaying('deploy_key_added', deployKeysPath(place), visit);
  },
});

const editing = ({ find, update }: Operations): PlaceRoute => ({
  path: '/deploy_keys/:id/edit',
  name: 'edit deploy key',
  of: 'project',
  forPeople: true,
  async get(visit, place) {
    const key = await find(visit, place);
    if (!key) return null;
    const draft = { title: key.title, canPush: key.canPush === true };
    return toAnswer(<EditKey site={visit.site} place={place} of={key} draft={draft} />);
  },
  async post(visit, place, form) {
    const key = await find(visit, place);
    if (!key) return null;
    const draft = { title: form.title ?? '', canPush: form.can_push !== undefined };
    try {
      const input = { projectPath: place.fullPath, id: String(key.id), ...draft };
      await update.execute(visit.context, { input });
    } catch (problem) {
      const errors = errorsOf(problem);
      return toAnswer(<EditKey site={visit.site} place={place} of={key} draft={draft} errors={errors} />, 422);
    }
    return seeOtherSaying('deploy_key_saved', deployKeysPath(place), visit);
  },
});

const removal = ({ find, remove }: Operations): PlaceRoute => ({
  path: '/deploy_keys/:id/remove',
  name: 'remove deploy key',
  of: 'project',
  forPeople: true,
  async get(visit, place) {
    const key = await find(visit, place);
    if (!key) return null;
    return placeQuestion(visit, place, 'deploy-keys', {
      title: `Remove the deploy key ${key.title}?`,
      says: 'Machines with it lose access to this project at once. Other projects that have it keep it.',
      does: 'Remove the key',
      action: deployKeysPath(place, `/${key.id}/remove`),
      back: deployKeysPath(place),
    });
  },
  async post(visit, place) {
    const { id } = visit.named;
    if (!isRecordNumber(id)) return null;
    await remove.execute(visit.context, { input: { projectPath: place.fullPath, id } });
    return seeOtherSaying('deploy_key_removed', deployKeysPath(place), visit);
  },
});

/** Labels of the fields, for error messages. */
const labels: Readonly<Record<string, string>> = { key: 'The key', title: 'The title', expiresAt: 'The expiry' };

/** A fingerprint that is taken, or can't be made, is a problem of the key. @throws any other error */
function errorsOf(problem: unknown): KeyErrors {
  if (!(problem instanceof InvalidFields)) throw problem;
  const { fingerprintSha256 = [], key = fingerprintSha256, ...others } = problem.fields;
  return allSentences({ ...others, ...(key.length > 0 && { key }) }, labels);
}
