import type { GraphQLSchema } from 'graphql';
import { InvalidFields, NotFound } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { isDay } from '../../../values/time/calendar.ts';
import { placeQuestion } from '../../places/place/question.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { furtherCursor, pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { forbidden } from '../../site/layout/problems.tsx';
import { isRecordNumber } from '../../site/paths.ts';
import { requireVisitor, seeOtherSaying, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import { deployKeysPath, EditKey, emptyDraft, KeyList, type KeyDraft, type KeyErrors, type ShownKey } from './view.tsx';

/** Keys on a page, and keys that are offered. */
const size = 30;

const keyFields = 'id: databaseId title key fingerprintSha256 canPush public createdAt expiresAt lastUsedAt';

/** The cursor of the keys that may be enabled: the usual one is that of the keys of the project. */
const ofAvailable = furtherCursor('available');

/** Labels of the fields, for error messages. */
const labels: Readonly<Record<string, string>> = { key: 'The key', title: 'The title', expiresAt: 'The expiry' };

/** A fingerprint that is taken, or can't be made, is a problem of the key. @throws any other error */
function errorsOf(problem: unknown): KeyErrors {
  if (!(problem instanceof InvalidFields)) throw problem;
  const { fingerprintSha256 = [], key = fingerprintSha256, ...others } = problem.fields;
  const named = { ...others, ...(key.length > 0 && { key }) };
  return Object.fromEntries(
    Object.entries(named).map(([field, messages]) => [field, sentences(labels[field] ?? field, messages)]),
  );
}

/** The deploy keys of a project, for its maintainers. */
export function deployKeyPages(schema: GraphQLSchema): PlaceRoute[] {
  const readList = compileOperation<{
    readonly keys: { readonly nodes: readonly ShownKey[]; readonly pageInfo: PageInfo };
    readonly project: {
      readonly available: { readonly nodes: readonly ShownKey[]; readonly pageInfo: PageInfo } | null;
    };
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
  );
  const readOne = compileOperation<{ readonly deployKey: ShownKey }>(
    schema,
    `query ($project: ID!, $id: DeployKeyID!) { deployKey(project: $project, id: $id) { ${keyFields} } }`,
  );
  const compile = (name: string, type: string) =>
    compileOperation<object>(schema, `mutation ($input: ${type}!) { ${name}(input: $input) { clientMutationId } }`);
  const create = compile('deployKeyCreate', 'DeployKeyCreateInput');
  const update = compile('deployKeyUpdate', 'DeployKeyUpdateInput');
  const enable = compile('deployKeyEnable', 'DeployKeyEnableInput');
  const remove = compile('deployKeyDelete', 'DeployKeyDeleteInput');

  /** Why the viewer may not see deploy keys; undefined if they may. @throws Unauthenticated */
  function refusal(visit: Visit, place: PlaceHead): Answer | undefined {
    requireVisitor(visit);
    if (place.userPermissions.adminProject) return undefined;
    return forbidden(visit.site, 'You need the Maintainer role to see and change deploy keys.');
  }

  async function show({ site, context, exchange }: Visit, place: PlaceHead, draft = emptyDraft, errors?: KeyErrors) {
    const query = readQuery(exchange);
    const { keys, project } = await readList.execute(context, {
      project: place.fullPath,
      ...pageArguments(query, size),
      ...ofAvailable.variables(query, size),
    });
    const { available } = project;
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

  const idIn = ({ named: { id } }: Visit) => (isRecordNumber(id) ? id : undefined);

  /** Null if the project doesn't have it. */
  async function found(visit: Visit, place: PlaceHead): Promise<ShownKey | null> {
    const id = idIn(visit);
    if (id === undefined) return null;
    try {
      return (await readOne.execute(visit.context, { project: place.fullPath, id })).deployKey;
    } catch (problem) {
      if (problem instanceof NotFound) return null;
      throw problem;
    }
  }

  return [
    {
      path: '/deploy_keys',
      name: 'deploy keys',
      of: 'project',
      forPeople: true,
      get: (visit, place) => refusal(visit, place) ?? show(visit, place),
      async post(visit, place, form) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const draft: KeyDraft = {
          key: form.key ?? '',
          title: (form.title ?? '').trim(),
          expiresAt: form.expires_at ?? '',
          canPush: form.can_push !== undefined,
        };
        const { key, title, expiresAt, canPush } = draft;
        if (expiresAt !== '' && !isDay(expiresAt))
          return await show(visit, place, draft, { expiresAt: ['The expiry must be a day.'] });
        const expiry = expiresAt === '' ? {} : { expiresAt: `${expiresAt}T00:00:00Z` };
        try {
          await create.execute(visit.context, {
            input: { projectPath: place.fullPath, key, title, canPush, ...expiry },
          });
        } catch (problem) {
          return await show(visit, place, draft, errorsOf(problem));
        }
        return seeOtherSaying('deploy_key_added', deployKeysPath(place), visit);
      },
    },
    {
      path: '/deploy_keys/:id/enable',
      name: 'enable deploy key',
      of: 'project',
      forPeople: true,
      leadsTo: (_visit, place) => deployKeysPath(place),
      async post(visit, place) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const id = idIn(visit);
        if (id === undefined) return null;
        await enable.execute(visit.context, { input: { projectPath: place.fullPath, id } });
        return seeOtherSaying('deploy_key_added', deployKeysPath(place), visit);
      },
    },
    {
      path: '/deploy_keys/:id/edit',
      name: 'edit deploy key',
      of: 'project',
      forPeople: true,
      async get(visit, place) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const key = await found(visit, place);
        if (!key) return null;
        const draft = { title: key.title, canPush: key.canPush === true };
        return toAnswer(<EditKey site={visit.site} place={place} of={key} draft={draft} />);
      },
      async post(visit, place, form) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const key = await found(visit, place);
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
    },
    {
      path: '/deploy_keys/:id/remove',
      name: 'remove deploy key',
      of: 'project',
      forPeople: true,
      async get(visit, place) {
        const refused = refusal(visit, place);
        if (refused) return refused;
        const key = await found(visit, place);
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
        const refused = refusal(visit, place);
        if (refused) return refused;
        const id = idIn(visit);
        if (id === undefined) return null;
        await remove.execute(visit.context, { input: { projectPath: place.fullPath, id } });
        return seeOtherSaying('deploy_key_removed', deployKeysPath(place), visit);
      },
    },
  ];
}
