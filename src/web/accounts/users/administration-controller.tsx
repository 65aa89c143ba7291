import type { GraphQLSchema } from 'graphql';
import { BadRequest, Conflict, InvalidFields } from '../../../errors.ts';
import { compileOperation, type Operation } from '../../../operation.ts';
import { userAttributes } from '../../../values/attributes/user-attributes.ts';
import { changedAttributes, mistakesIn, type Mistakes } from '../../site/forms/attributes.tsx';
import { confirmPage, type Question } from '../../site/forms/confirm.tsx';
import { edited, readQuery } from '../../site/forms/fields.ts';
import type { NoticeName } from '../../site/layout/notices.ts';
import { toAnswer } from '../../site/layout/page.ts';
import {
  DeleteUser,
  listedFields,
  shows,
  UserList,
  UserPage,
  userPath,
  usersPath,
  type ListedUser,
  type Show,
  type ShownUser,
} from './administration-view.tsx';
import { attributeNames, editedFields, toDraft, UserForm, type EditedUser } from './administration-form.tsx';
import { NewPasswordLink, PasswordLink, SetPassword, type PasswordLinkData } from './administration-passwords-view.tsx';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { shownOnce } from '../../site/forms/shown-once.tsx';
import { seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';

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

const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  username: 'Username',
  email: 'E-mail',
  password: 'Password',
};

interface Listed {
  readonly users: { readonly nodes: readonly ListedUser[]; readonly count: number; readonly pageInfo: PageInfo };
}

/** Pages on which administrators manage users. */
export function administeredUserPages(schema: GraphQLSchema): PageRoute[] {
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const mutation = <Data = unknown,>(name: string, input: string, selection: string) =>
    compile<Data>(`mutation ($input: ${input}!) { ${name}(input: $input) { ${selection} } }`);
  const list = compile<Listed>(
    `query ($search: String, $states: [UserState!], $admins: Boolean, $twoFactor: Boolean, $first: Int, $after: String, $last: Int, $before: String) {
      users(search: $search, states: $states, admins: $admins, twoFactor: $twoFactor, first: $first, after: $after, last: $last, before: $before) {
        nodes { ${listedFields} } count ${pageInfoFields}
      }
    }`,
  );
  const find = compile<{ user: ShownUser | null }>(
    `query ($id: UserID!) { user(id: $id) { ${listedFields} publicEmail tier external note emails { nodes { id: databaseId email isPrimary confirmedAt } } } }`,
  );
  const findEdited = compile<{ user: EditedUser | null }>(
    `query ($id: UserID!) { user(id: $id) { id: databaseId name username tier isAdministrator ${editedFields} } }`,
  );
  const create = mutation<{ createUser: { user: { id: number } } }>(
    'createUser',
    'CreateUserInput',
    'user { id: databaseId }',
  );
  const update = mutation('updateUser', 'UpdateUserInput', 'user { username }');
  const setPassword = mutation('resetPassword', 'ResetPasswordInput', 'user { username }');
  const makeLink = mutation<{ createPasswordResetLink: { url: string } }>(
    'createPasswordResetLink',
    'CreatePasswordResetLinkInput',
    'url',
  );
  const disableFactor = mutation('disableSecondFactorOfUser', 'DisableSecondFactorOfUserInput', 'user { username }');
  const remove = mutation('deleteUser', 'DeleteUserInput', 'finished');
  const addEmail = mutation('addEmail', 'AddEmailInput', 'email { email }');
  const verifyEmail = mutation('verifyEmailOfUser', 'EmailOfUserInput', 'email { email }');
  const removeEmail = mutation('removeEmailOfUser', 'EmailOfUserInput', 'user { username }');

  const found = async ({ context, named }: Visit) => (await find.execute(context, { id: named.id })).user;
  const edits = async ({ context, named }: Visit) => (await findEdited.execute(context, { id: named.id })).user;
  const userId = ({ named }: Visit) => named.id!;
  const here = (visit: Visit) => userPath({ id: userId(visit) });

  /** A confirmation page for an action on one user. */
  const confirmation = (
    what: string,
    operation: Operation<unknown>,
    notice: NoticeName,
    question: (user: ShownUser, visit: Visit) => Omit<Question, 'back'> | null,
    input: (visit: Visit) => object = () => ({}),
  ): PageRoute =>
    confirmPage({
      path: `${usersPath}/:id/${what}`,
      name: `${what.split('/').at(-1)} user`,
      section: usersPath,
      async ask(visit) {
        operation.admit(visit.context);
        const user = await found(visit);
        const asked = user && question(user, visit);
        return asked && { ...asked, back: here(visit) };
      },
      async act(visit) {
        await operation.execute(visit.context, { input: { userId: userId(visit), ...input(visit) } });
        return seeOtherSaying(notice, here(visit), visit);
      },
    });
  const emailOf = (user: ShownUser, { named }: Visit) => user.emails.nodes.find(({ id }) => String(id) === named.email);

  const shown = shownOnce<PasswordLinkData>({
    path: '/admin/password_links',
    name: 'password link',
    section: usersPath,
    what: 'The link',
    onward: { path: usersPath, label: 'Go to the users' },
    show: (site, data) => <NewPasswordLink site={site} {...data} />,
  });

  return [
    shown.page,
    {
      path: usersPath,
      name: 'users',
      async get({ site, context, exchange }) {
        const query = readQuery(exchange);
        const search = query.search?.slice(0, 255) ?? '';
        const show = query.show !== undefined && Object.hasOwn(shows, query.show) ? (query.show as Show) : 'all';
        const { users } = await list.execute(context, { search, ...filters[show], ...pageArguments(query, size) });
        const pages = pagesAround(usersPath, query, users.pageInfo);
        return toAnswer(
          <UserList site={site} users={users.nodes} count={users.count} search={search} show={show} pages={pages} />,
        );
      },
    },
    {
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
          const { user } = (await create.execute(context, { input })).createUser;
          return seeOtherSaying('user_created', userPath(user), visit);
        } catch (problem) {
          return refused(mistakes(problem));
        }
      },
    },
    {
      path: `${usersPath}/:id`,
      name: 'user',
      async get(visit) {
        const user = await found(visit);
        return user && toAnswer(<UserPage site={visit.site} user={user} />);
      },
    },
    {
      path: `${usersPath}/:id/edit`,
      name: 'edit user',
      async get(visit) {
        update.admit(visit.context);
        const user = await edits(visit);
        return user && toAnswer(<UserForm site={visit.site} user={user} />);
      },
      async post(visit, form) {
        const { site, context } = visit;
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
            input: {
              userId: userId(visit),
              ...changes,
              ...(tier !== undefined && { tier: level }),
              ...right,
              ...attributes,
            },
          });
          return seeOtherSaying('user_saved', here(visit), visit);
        } catch (problem) {
          return refused(mistakes(problem));
        }
      },
    },
    {
      path: `${usersPath}/:id/password`,
      name: 'password of user',
      async get(visit) {
        setPassword.admit(visit.context);
        const user = await found(visit);
        return user && toAnswer(<SetPassword site={visit.site} user={user} />, 200, { scripts: true });
      },
      async post(visit, { password = '' }) {
        const user = await found(visit);
        if (!user) return null;
        try {
          await setPassword.execute(visit.context, { input: { userId: userId(visit), password } });
          return seeOtherSaying('user_password_set', here(visit), visit);
        } catch (problem) {
          return toAnswer(<SetPassword site={visit.site} user={user} errors={mistakes(problem).password} />, 422, {
            scripts: true,
          });
        }
      },
    },
    {
      path: `${usersPath}/:id/password_link`,
      name: 'password link of user',
      once: shown.path,
      async get(visit) {
        makeLink.admit(visit.context);
        const user = await found(visit);
        return user && toAnswer(<PasswordLink site={visit.site} user={user} />);
      },
      async post(visit, form) {
        const user = await found(visit);
        if (!user) return null;
        try {
          const { url } = (await makeLink.execute(visit.context, { input: { userId: userId(visit) } }))
            .createPasswordResetLink;
          const { id, name, username } = user;
          return await shown.keep(visit, form, { user: { id, name, username }, url });
        } catch (problem) {
          if (!(problem instanceof BadRequest)) throw problem;
          return toAnswer(<PasswordLink site={visit.site} user={user} obstacle={problem.message} />, 422);
        }
      },
    },
    confirmation('second_factor', disableFactor, 'second_factor_off', ({ name, username, twoFactorEnabled }) =>
      twoFactorEnabled
        ? {
            title: `Disable two-factor authentication of ${name}?`,
            says: 'For someone who lost their phone and recovery codes. They can then sign in with their password alone.',
            does: `Disable it for ${username}`,
          }
        : null,
    ),
    {
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
          await remove.execute(visit.context, {
            input: { userId: userId(visit), withGroups: form.with_groups === 'on' },
          });
          return seeOtherSaying('user_deleted', usersPath, visit);
        } catch (problem) {
          if (!(problem instanceof Conflict)) throw problem;
          const says =
            'Nothing is deleted yet: one of their groups has no other owner. Give it another owner first, or delete it too.';
          return toAnswer(<DeleteUser site={visit.site} user={user} errors={[says]} />, 409);
        }
      },
    },
    {
      path: `${usersPath}/:id/emails`,
      name: 'add email of user',
      again: (_form, { id }) => `${usersPath}/${id}`,
      async post(visit, { email = '', verified }) {
        const user = await found(visit);
        if (!user) return null;
        try {
          await addEmail.execute(visit.context, {
            input: { userId: userId(visit), email, verified: verified === 'on' },
          });
          return seeOtherSaying('email_added', here(visit), visit);
        } catch (problem) {
          return toAnswer(
            <UserPage
              site={visit.site}
              user={user}
              errors={mistakes(problem).email}
              typed={{ email, verified: verified === 'on' }}
            />,
            422,
          );
        }
      },
    },
    confirmation(
      'emails/:email/verify',
      verifyEmail,
      'email_verified',
      (user, visit) => {
        const email = emailOf(user, visit);
        return (
          (email && {
            title: 'Verify the address?',
            says: `You confirm that ${email.email} belongs to ${user.name}. They can then sign in with it and receive mail there.`,
            does: 'Verify the address',
          }) ??
          null
        );
      },
      ({ named }) => ({ emailId: named.email }),
    ),
    confirmation(
      'emails/:email/remove',
      removeEmail,
      'email_removed',
      (user, visit) => {
        const email = emailOf(user, visit);
        if (!email || email.isPrimary) return null;
        return {
          title: 'Remove the address?',
          says: `${user.name} can no longer sign in with ${email.email}.`,
          does: 'Remove the address',
        };
      },
      ({ named }) => ({ emailId: named.email }),
    ),
  ];
}

/** Errors of a form in sentences, by field. @throws other errors */
function mistakes(problem: unknown): Mistakes {
  if (problem instanceof Conflict && problem.field) return { [problem.field]: [`${problem.message}.`] };
  if (!(problem instanceof InvalidFields)) throw problem;
  return mistakesIn(problem.fields, labels);
}
