import { BadRequest } from '../../../errors.ts';
import { confirmPage, type Question } from '../../site/forms/confirm.tsx';
import { shownOnce } from '../../site/forms/shown-once.tsx';
import type { NoticeName } from '../../site/layout/notices.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { mistakesOf } from './administration-form.tsx';
import type { UserOperations } from './administration-operations.ts';
import { NewPasswordLink, PasswordLink, SetPassword, type PasswordLinkData } from './administration-passwords-view.tsx';
import { UserPage, userPath, usersPath, type ShownUser } from './administration-view.tsx';

/** The page that shows a new link. */
const shown = shownOnce<PasswordLinkData>({
  path: '/admin/password_links',
  name: 'password link',
  section: usersPath,
  what: 'The link',
  onward: { path: usersPath, label: 'Go to the users' },
  show: (site, data) => <NewPasswordLink site={site} {...data} />,
});

/** Pages on which administrators manage how a user signs in: password, second factor, addresses. */
export const userSignInPages = (operations: UserOperations): PageRoute[] => [
  shown.page,
  ...[password, passwordLink, secondFactor, newEmail, emailVerification, emailRemoval].map((page) => page(operations)),
];

const idOf = ({ named }: Visit): string => named.id!;
const here = (visit: Visit): string => userPath({ id: idOf(visit) });

const password = ({ found, setPassword }: UserOperations): PageRoute => ({
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
      await setPassword.execute(visit.context, { input: { userId: idOf(visit), password } });
      return seeOtherSaying('user_password_set', here(visit), visit);
    } catch (problem) {
      const { password: errors } = mistakesOf(problem);
      return toAnswer(<SetPassword site={visit.site} user={user} errors={errors} />, 422, { scripts: true });
    }
  },
});

const passwordLink = ({ found, makeLink }: UserOperations): PageRoute => ({
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
      const { url } = (await makeLink.execute(visit.context, { input: { userId: idOf(visit) } })).done;
      const { id, name, username } = user;
      return await shown.keep(visit, form, { user: { id, name, username }, url });
    } catch (problem) {
      if (!(problem instanceof BadRequest)) throw problem;
      return toAnswer(<PasswordLink site={visit.site} user={user} obstacle={problem.message} />, 422);
    }
  },
});

const secondFactor = ({ found, disableFactor }: UserOperations): PageRoute =>
  confirmation(found, disableFactor, {
    page: 'second_factor',
    notice: 'second_factor_off',
    question: ({ name, username, twoFactorEnabled }) =>
      twoFactorEnabled
        ? {
            title: `Disable two-factor authentication of ${name}?`,
            says: 'For someone who lost their phone and recovery codes. They can then sign in with their password alone.',
            does: `Disable it for ${username}`,
          }
        : null,
  });

const newEmail = ({ found, addEmail }: UserOperations): PageRoute => ({
  path: `${usersPath}/:id/emails`,
  name: 'add email of user',
  again: (_form, { id }) => `${usersPath}/${id}`,
  async post(visit, { email = '', verified: box }) {
    const user = await found(visit);
    if (!user) return null;
    const verified = box === 'on';
    try {
      await addEmail.execute(visit.context, { input: { userId: idOf(visit), email, verified } });
      return seeOtherSaying('email_added', here(visit), visit);
    } catch (problem) {
      const { email: errors } = mistakesOf(problem);
      const typed = { email, verified };
      return toAnswer(<UserPage site={visit.site} user={user} errors={errors} typed={typed} />, 422);
    }
  },
});

const emailVerification = ({ found, verifyEmail }: UserOperations): PageRoute =>
  confirmation(found, verifyEmail, {
    page: 'emails/:email/verify',
    notice: 'email_verified',
    question(user, visit) {
      const email = emailOf(user, visit);
      if (!email) return null;
      return {
        title: 'Verify the address?',
        says: `You confirm that ${email.email} belongs to ${user.name}. They can then sign in with it and receive mail there.`,
        does: 'Verify the address',
      };
    },
    input: emailInput,
  });

const emailRemoval = ({ found, removeEmail }: UserOperations): PageRoute =>
  confirmation(found, removeEmail, {
    page: 'emails/:email/remove',
    notice: 'email_removed',
    question(user, visit) {
      const email = emailOf(user, visit);
      if (!email || email.isPrimary) return null;
      return {
        title: 'Remove the address?',
        says: `${user.name} can no longer sign in with ${email.email}.`,
        does: 'Remove the address',
      };
    },
    input: emailInput,
  });

const emailOf = (user: ShownUser, { named }: Visit) => user.emails.nodes.find(({ id }) => String(id) === named.email);
const emailInput = ({ named }: Visit) => ({ emailId: named.email });

interface Confirmed {
  /** Below the page of the user. */
  readonly page: string;
  readonly notice: NoticeName;
  /** Null if there is nothing to do. */
  readonly question: (user: ShownUser, visit: Visit) => Omit<Question, 'back'> | null;
  /** What the input has besides the user. */
  readonly input?: (visit: Visit) => object;
}

/** A page that asks before it does something to a user. */
const confirmation = (
  found: UserOperations['found'],
  operation: UserOperations['disableFactor'],
  { page, notice, question, input }: Confirmed,
): PageRoute =>
  confirmPage({
    path: `${usersPath}/:id/${page}`,
    name: `${page.split('/').at(-1)} user`,
    section: usersPath,
    async ask(visit) {
      operation.admit(visit.context);
      const user = await found(visit);
      const asked = user && question(user, visit);
      return asked && { ...asked, back: here(visit) };
    },
    async act(visit) {
      await operation.execute(visit.context, { input: { userId: idOf(visit), ...input?.(visit) } });
      return seeOtherSaying(notice, here(visit), visit);
    },
  });
