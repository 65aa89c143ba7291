import type { GraphQLSchema } from 'graphql';
import { Conflict } from '../../../errors.ts';
import { userAttributes } from '../../../values/attributes/user-attributes.ts';
import { changedAttributes, type Mistakes } from '../../site/forms/attributes.tsx';
import { edited, isKey, readQuery } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pagesAround } from '../../site/records/paging.ts';
import { seeOtherSaying, type PageRoute } from '../../site/visit.ts';
import { attributeNames, mistakesOf, toDraft, UserForm } from './administration-form.tsx';
import { userOperations, type UserOperations } from './administration-operations.ts';
import { userSignInPages } from './administration-sign-in-controller.tsx';
import { DeleteUser, shows, UserList, UserPage, userPath, usersPath, type Show } from './administration-view.tsx';

/** Users on a page. */
const size = 30;

/** The arguments of the list for each choice on the page. */
const filters: Record<Show, object> = {
  all: {},
  active: { states: ['active'] },
  blocked: { states: ['blocked', 'deactivated', 'banned', 'blocked_pending_approval'] },
  deactivated: { states: ['deactivated'] },
  banned: { states: ['banned'] },
  pending: { states: ['blocked_pending_approval'] },
  administrators: { admins: true },
  two_factor: { twoFactor: true },
  no_two_factor: { twoFactor: false },
};

/** Pages on which administrators manage users. */
export function administeredUserPages(schema: GraphQLSchema): PageRoute[] {
  const operations = userOperations(schema);
  return [...[list, newOne, one, editing, deletion].map((page) => page(operations)), ...userSignInPages(operations)];
}

const list = ({ list }: UserOperations): PageRoute => ({
  path: usersPath,
  name: 'users',
  async get({ site, context, exchange }) {
    const query = readQuery(exchange);
    const search = query.search?.slice(0, 255) ?? '';
    const show = query.show !== undefined && isKey(shows, query.show) ? query.show : 'all';
    const { users } = await list.execute(context, { search, ...filters[show], ...pageArguments(query, size) });
    const pages = pagesAround(usersPath, query, users.pageInfo);
    return toAnswer(
      <UserList site={site} users={users.nodes} count={users.count} search={search} show={show} pages={pages} />,
    );
  },
});

const newOne = ({ create }: UserOperations): PageRoute => ({
  path: `${usersPath}/new`,
  name: 'new user',
  get({ site, context }) {
    create.admit(context);
    return toAnswer(<UserForm site={site} user={null} />, 200, { scripts: true });
  },
  async post(visit, form) {
    const { site, context } = visit;
    const refused = (errors: Mistakes) =>
      toAnswer(<UserForm site={site} user={null} form={form} errors={errors} />, 422, { scripts: true });
    const { input: attributes, mistakes: unread } = changedAttributes(userAttributes, attributeNames, form);
    if (Object.keys(unread).length > 0) return refused(unread);
    try {
      const input = { ...toDraft(form), ...(form.password && { password: form.password }), ...attributes };
      const { user } = (await create.execute(context, { input })).done;
      return seeOtherSaying('user_created', userPath(user), visit);
    } catch (problem) {
      return refused(mistakesOf(problem));
    }
  },
});

const one = ({ found }: UserOperations): PageRoute => ({
  path: `${usersPath}/:id`,
  name: 'user',
  async get(visit) {
    const user = await found(visit);
    return user && toAnswer(<UserPage site={visit.site} user={user} />);
  },
});

const editing = ({ edits, update }: UserOperations): PageRoute => ({
  path: `${usersPath}/:id/edit`,
  name: 'edit user',
  async get(visit) {
    update.admit(visit.context);
    const user = await edits(visit);
    return user && toAnswer(<UserForm site={visit.site} user={user} />);
  },
  async post(visit, form) {
    const { site, context, named } = visit;
    const user = await edits(visit);
    if (!user) return null;
    const refused = (errors: Mistakes) =>
      toAnswer(<UserForm site={site} user={user} form={form} errors={errors} />, 422);
    const { administrator, tier: level } = toDraft(form);
    const { tier, ...changes } = edited(form, ['name', 'username', 'tier']);
    const { input: attributes, mistakes: unread } = changedAttributes(userAttributes, attributeNames, form);
    if (Object.keys(unread).length > 0) return refused(unread);
    try {
      // Administrators can't remove their own right, so send it only when it changes.
      const right = administrator === user.isAdministrator ? {} : { administrator };
      await update.execute(context, {
        input: { userId: named.id, ...changes, ...(tier !== undefined && { tier: level }), ...right, ...attributes },
      });
      return seeOtherSaying('user_saved', userPath({ id: named.id! }), visit);
    } catch (problem) {
      return refused(mistakesOf(problem));
    }
  },
});

const deletion = ({ found, remove }: UserOperations): PageRoute => ({
  path: `${usersPath}/:id/delete`,
  name: 'delete user',
  async get(visit) {
    remove.admit(visit.context);
    const user = await found(visit);
    return user && user.username !== visit.site.visitor!.username
      ? toAnswer(<DeleteUser site={visit.site} user={user} />)
      : null;
  },
  async post(visit, form) {
    const user = await found(visit);
    if (!user) return null;
    try {
      const input = { userId: visit.named.id, withGroups: form.with_groups === 'on' };
      await remove.execute(visit.context, { input });
      return seeOtherSaying('user_deleted', usersPath, visit);
    } catch (problem) {
      if (!(problem instanceof Conflict)) throw problem;
      const says =
        'Nothing is deleted yet: one of their groups has no other owner. Give it another owner first, or delete it too.';
      return toAnswer(<DeleteUser site={visit.site} user={user} errors={[says]} />, 409);
    }
  },
});
