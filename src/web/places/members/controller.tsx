import type { GraphQLSchema } from 'graphql';
import { domainError } from '../../../context.ts';
import { BadRequest, Conflict, Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { isDay } from '../../../values/calendar.ts';
import { picturedFields } from '../avatars/avatar.tsx';
import { typedIn, type Mistakes } from '../../site/attributes.tsx';
import { readQuery, withQuery, type Fields } from '../../site/fields.ts';
import { toAnswer } from '../../site/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/paging.ts';
import { seeOtherSaying, type Visit } from '../../site/visit.ts';
import { membersPath, permissionFields, placePath, roles } from '../place/place.ts';
import type { PlaceHead, PlaceRoute } from '../place/route.ts';
import { Members, type Member, type Peopled } from './view.tsx';

/** Members on a page. With a form to change each, it has about 80 kB. */
const pageSize = 35;

/** The pages of the members of groups and projects: who has which role, and how. */
export function membersPage(schema: GraphQLSchema): PlaceRoute {
  const list = (kind: PlaceHead['kind']) =>
    compileOperation<{ place: Omit<Peopled, 'members'> & { members: { nodes: Member[]; pageInfo: PageInfo } } }>(
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
  const mutation = (name: string) =>
    compileOperation<object>(
      schema,
      `mutation ($input: ${name}Input!) { ${name[0]!.toLowerCase()}${name.slice(1)}(input: $input) { clientMutationId } }`,
    );
  const add = mutation('AddMembers');
  const update = mutation('UpdateMember');
  const remove = mutation('RemoveMember');

  async function show(visit: Visit, head: PlaceHead, given: Fields, problem: Problem = {}) {
    const { kind, fullPath } = head;
    const { typed = {}, mistakes = {}, obstacle } = problem;
    const query = shownIn(given);
    const { search } = query;
    const { place } = await find[kind].execute(visit.context, {
      path: fullPath,
      search: search || null,
      ...pageArguments(query, pageSize),
    });
    return toAnswer(
      <Members
        site={visit.site}
        head={head}
        place={{ ...place, members: place.members.nodes }}
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
      const { role = '', expires_at: day = '', change, remove: leaves } = form;
      // What is wrong with a membership of the list is said above it, and what is wrong with a new one beside its field.
      const isNew = change === undefined && leaves === undefined;
      const again = (mistakes: Mistakes) =>
        isNew
          ? show(visit, head, form, { typed: form, mistakes })
          : show(visit, head, form, { obstacle: Object.values(mistakes).flat().join(' ') });
      const isSelf = leaves === String(context.viewer.person?.id);
      if (leaves === undefined && day !== '' && !isDay(day)) return again({ expires_at: ['The end must be a day.'] });
      if (leaves === undefined && !Object.hasOwn(roles, role)) return again({ role: ['Choose a role.'] });
      const input = { ...place, accessLevel: role, expiresAt: day === '' ? null : `${day}T00:00:00Z` };
      try {
        if (leaves !== undefined) await remove.execute(context, { input: { ...place, userId: leaves } });
        else if (change !== undefined) await update.execute(context, { input: { ...input, userId: change } });
        else
          await add.execute(context, {
            input: { ...input, usernames: (form.usernames ?? '').split(/[\s,@]+/).filter(Boolean) },
          });
      } catch (thrown) {
        return again(mistakesOf(domainError(thrown), thrown));
      }
      if (isSelf) return seeOtherSaying('place_left', placePath(kind, fullPath), visit);
      return seeOtherSaying(isNew ? 'members_added' : leaves ? 'member_removed' : 'member_changed', here, visit);
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
