import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { BadRequest, Conflict, Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { isDay } from '../../../values/time/calendar.ts';
import { typedIn, type Mistakes } from '../../site/forms/attributes.tsx';
import { readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { seeOtherSaying } from '../../site/visit.ts';
import { placeFinder, unlessEditor } from '../place/find.ts';
import { roles, sharingPath, type Kind } from '../place/place.ts';
import type { PlaceRoute } from '../place/route.ts';
import { Sharing, type Shared } from './view.tsx';

/** The pages on which groups and projects are shared with groups. */
export function sharingPage(schema: GraphQLSchema): PlaceRoute {
  const shown =
    'name fullPath sharedWithGroups { groupDatabaseId groupName groupFullPath accessLevel { stringValue } expiresAt }';
  const found = placeFinder<Shared>(
    schema,
    { group: shown, project: `${shown} group { shareWithGroupLock }` },
    unlessEditor,
  );
  const mutation = (name: string) =>
    compileOperation<object>(
      schema,
      `mutation ($input: ${name}Input!) { ${name[0]!.toLowerCase()}${name.slice(1)}(input: $input) { clientMutationId } }`,
    );
  const share = { group: mutation('ShareGroupWithGroup'), project: mutation('ShareProjectWithGroup') };
  const unshare = { group: mutation('UnshareGroupWithGroup'), project: mutation('UnshareProjectWithGroup') };

  return {
    path: '/sharing',
    name: 'sharing',
    forPeople: true,
    async get(visit, head) {
      const place = await found(visit, head);
      const search = (readQuery(visit.exchange).search ?? '').trim();
      return place && toAnswer(<Sharing site={visit.site} head={head} place={place} search={search} />);
    },
    async post(visit, head, form) {
      const { kind } = head;
      const place = await found(visit, head);
      if (!place) return null;
      const id = { [kind]: place.fullPath };
      const here = sharingPath(kind, place.fullPath);
      if (form.remove !== undefined) {
        await unshare[kind].execute(visit.context, { input: { ...id, invitedGroup: form.remove } });
        return seeOtherSaying('share_removed', here, visit);
      }
      const typed = typedIn(['group', 'role', 'expires_at'], form);
      const again = (mistakes: Mistakes) =>
        toAnswer(<Sharing site={visit.site} head={head} place={place} typed={typed} mistakes={mistakes} />, 422);
      const day = typed.expires_at!;
      if (day !== '' && !isDay(day)) return again({ expires_at: ['The end must be a day.'] });
      if (!Object.hasOwn(roles, typed.role!)) return again({ role: ['Choose a role.'] });
      try {
        await share[kind].execute(visit.context, {
          input: {
            ...id,
            invitedGroup: typed.group!.trim().replace(/^\/|\/$/g, ''),
            accessLevel: typed.role,
            expiresAt: day === '' ? null : `${day}T00:00:00Z`,
          },
        });
      } catch (thrown) {
        return again(mistakesOf(domainError(thrown), kind, thrown));
      }
      return seeOtherSaying('share_added', here, visit);
    },
  };
}

/** What is wrong with a share, by the field to blame. @throws errors that have pages of their own */
function mistakesOf(problem: unknown, kind: Kind, thrown: unknown): Mistakes {
  if (problem instanceof NotFound)
    return {
      group: [
        kind === 'group'
          ? 'There is no such group that you can see.'
          : 'There is no such group that you are a member of and that may be invited.',
      ],
    };
  if (problem instanceof Conflict)
    return { group: [`${problem.message.replace(/^Shared group /, '').replace(/\.$/, '')}.`] };
  if (problem instanceof Forbidden) return { group: [problem.message] };
  if (problem instanceof InvalidFields) return { group: Object.values(problem.fields).flat() };
  if (problem instanceof BadRequest) return { group: [problem.message] };
  throw thrown;
}
