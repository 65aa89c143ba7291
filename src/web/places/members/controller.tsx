import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { BadRequest, Conflict, Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { isDay } from '../../../values/time/calendar.ts';
import { picturedFields } from '../avatars/avatar.tsx';
import { typedIn, type Mistakes } from '../../site/forms/attributes.tsx';
import { readQuery, withQuery, type Fields } from '../../site/forms/fields.ts';
import type { NoticeName } from '../../site/layout/notices.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { stillThere } from '../../site/missing.ts';
import { pageArguments, pageInfoFields, pagesAround, type Paged } from '../../site/records/paging.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { membersPath, permissionFields, placePath, roles } from '../place/place.ts';
import type { PlaceHead, PlaceRoute } from '../place/route.ts';
import { Members, type Member, type Peopled } from './view.tsx';

/** Members on a page. With a form to change each, it has about 80 kB. */
const pageSize = 35;
/** How many of those who ask for a role the page shows: the first ones. */
const maxRequests = 50;

/** The pages of the members of groups and projects: who has which role, and how. */
export function membersPage(schema: GraphQLSchema): PlaceRoute {
  const list = (kind: PlaceHead['kind']) =>
    compileOperation<{ place: (Omit<Peopled, 'members'> & { members: Paged<Member> }) | null }>(
      schema,
      `query ($path: ID!, $search: String, $first: Int, $last: Int, $before: String, $after: String) {
        place: ${kind}(fullPath: $path) {
          ${permissionFields[kind]}
          members: ${kind}Members(search: $search, first: $first, last: $last, before: $before, after: $after) {
            nodes {
              accessLevel { stringValue } expiresAt user { ${picturedFields} username }
              ... on GroupMember { group { name fullPath } } ${kind === 'project' ? '... on ProjectMember { project { fullPath } }' : ''}
            }
            ${pageInfoFields}
          }
        }
      }`,
    );
  const find = { group: list('group'), project: list('project') };
  const requested = compileOperation<{ accessRequests: NonNullable<Peopled['requests']> }>(
    schema,
    `query ($group: ID, $project: ID, $first: Int!) {
      accessRequests(group: $group, project: $project, first: $first) {
        nodes { requestedAt user { ${picturedFields} username } } pageInfo { hasNextPage }
      }
    }`,
  );
  const mutation = (name: string) =>
    compileOperation<object>(
      schema,
      `mutation ($input: ${name}Input!) { ${name[0]!.toLowerCase()}${name.slice(1)}(input: $input) { clientMutationId } }`,
    );
  const add = mutation('AddMembers');
  const update = mutation('UpdateMember');
  const remove = mutation('RemoveMember');
  const approve = mutation('ApproveAccessRequest');
  const deny = mutation('DenyAccessRequest');

  async function show(visit: Visit, head: PlaceHead, given: Fields, problem: Problem = {}) {
    const { kind, fullPath } = head;
    const { typed = {}, mistakes = {}, obstacle } = problem;
    const query = shownIn(given);
    const { search } = query;
    const read = await find[kind].execute(visit.context, {
      path: fullPath,
      search: search || null,
      ...pageArguments(query, pageSize),
    });
    const place = stillThere(read.place);
    const asking = place.permissions.edits
      ? { requests: (await requested.execute(visit.context, { [kind]: fullPath, first: maxRequests })).accessRequests }
      : {};
    return toAnswer(
      <Members
        site={visit.site}
        head={head}
        place={{ ...place, members: place.members.nodes, ...asking }}
        search={search}
        shown={query}
        pages={pagesAround(membersPath(kind, fullPath), query, place.members.pageInfo)}
        typed={typedIn(['usernames', 'role', 'expires_at'], typed)}
        mistakes={mistakes}
        obstacle={obstacle}
      />,
      problem.mistakes || obstacle !== undefined ? 422 : 200,
    );
  }

  return {
    path: '/members',
    name: 'members',
    forPeople: true,
    get: (visit, head) => show(visit, head, readQuery(visit.exchange)),
    async post(visit, head, form) {
      const { kind, fullPath } = head;
      const { context } = visit;
      const place = { [kind]: fullPath };
      const here = addressOf(membersPath(kind, fullPath), form);
      const { role = '', expires_at: day = '', change, remove: leaves, approve: approved, deny: denied } = form;
      // What is wrong with a membership of the list is said above it, and what is wrong with a new one beside its field.
      const isNew = [change, leaves, approved, denied].every((person) => person === undefined);
      const givesRole = leaves === undefined && denied === undefined;
      const again = (mistakes: Mistakes) =>
        isNew
          ? show(visit, head, form, { typed: form, mistakes })
          : show(visit, head, form, { obstacle: Object.values(mistakes).flat().join(' ') });
      const isSelf = leaves === String(context.viewer.person?.id);
      if (givesRole && day !== '' && !isDay(day)) return again({ expires_at: ['The end must be a day.'] });
      if (givesRole && !Object.hasOwn(roles, role)) return again({ role: ['Choose a role.'] });
      const input = { ...place, accessLevel: role, expiresAt: day === '' ? null : `${day}T00:00:00Z` };
      try {
        if (leaves !== undefined) await remove.execute(context, { input: { ...place, userId: leaves } });
        else if (denied !== undefined) await deny.execute(context, { input: { ...place, userId: denied } });
        else if (approved !== undefined)
          await approve.execute(context, { input: { ...place, userId: approved, accessLevel: role } });
        else if (change !== undefined) await update.execute(context, { input: { ...input, userId: change } });
        else
          await add.execute(context, {
            input: { ...input, usernames: (form.usernames ?? '').split(/[\s,@]+/).filter(Boolean) },
          });
      } catch (thrown) {
        const problem = domainError(thrown);
        if (problem instanceof NotFound && problem.subject === 'AccessRequest')
          return again({ usernames: ['The request was withdrawn, or another person decided it.'] });
        return again(mistakesOf(problem, thrown));
      }
      if (isSelf) return seeOtherSaying('place_left', placePath(kind, fullPath), visit);
      return seeOtherSaying(noticeOf(form), here, visit);
    },
  };
}

/** Why the page is shown again, with what was typed about new members. */
interface Problem {
  readonly typed?: Fields;
  readonly mistakes?: Mistakes;
  /** Why a membership of the list stays as it is. */
  readonly obstacle?: string;
}

/** What a form of the page did. */
function noticeOf({ change, remove, approve, deny }: Fields): NoticeName {
  if (approve !== undefined) return 'access_request_approved';
  if (deny !== undefined) return 'access_request_denied';
  return remove ? 'member_removed' : change === undefined ? 'members_added' : 'member_changed';
}

/** The part of the list that a page shows, as its address or one of its forms says. */
const shownIn = ({ search = '', before, after }: Fields) => ({ search: search.slice(0, 255).trim(), before, after });

/** The address of the same part of the list. */
const addressOf = (path: string, form: Fields): string => withQuery(path, shownIn(form));

/** What is wrong with a membership, by the field to blame. @throws errors that have pages of their own */
function mistakesOf(problem: unknown, thrown: unknown): Mistakes {
  if (problem instanceof NotFound) return { usernames: ['There is no such person.'] };
  if (problem instanceof Conflict || problem instanceof Forbidden || problem instanceof BadRequest)
    return { usernames: [problem.message] };
  if (problem instanceof InvalidFields) return { usernames: Object.values(problem.fields).flat() };
  throw thrown;
}
