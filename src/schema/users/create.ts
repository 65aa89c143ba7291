import { hashPassword } from '../../auth/index.ts';
import { Conflict } from '../../errors.ts';
import { writes } from '../../policy/index.ts';
import { requireAdministrator } from '../administrators.ts';
import { builder } from '../builder.ts';
import { Problems, textProblems, unlessTaken } from '../input.ts';
import { pathProblems } from '../places/paths.ts';
import { addressProblems, normalAddress } from './addresses.ts';
import { auditUser } from './audit.ts';
import { passwordProblems } from './password.ts';
import { userPayload } from './payload.ts';
import { TierType } from './types.ts';

/** In the words that clients know: they tell a name that is taken from one that can't be. */
export const alreadyTaken = (field: string) =>
  new Conflict(`${field === 'email' ? 'Email' : 'Username'} has already been taken`, field);

const CreateUserPayload = userPayload('CreateUserPayload');

builder.mutationField('createUser', (t) =>
  t.field({
    type: CreateUserPayload,
    nullable: true,
    description: 'Makes an account, with its own namespace. For administrators.',
    admission: { class: 'session', recent: true, personalToken: writes },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('CreateUserInput', {
          fields: (field) => ({
            username: field.string({ required: true }),
            name: field.string({ required: true }),
            email: field.string({ required: true, description: 'The primary address.' }),
            emailVerified: field.boolean({ required: true, description: 'Whether it is known to be the person’s own.' }),
            password: field.string({ description: 'Left out: nobody can sign in with one yet.' }),
            sendPasswordLink: field.boolean({ defaultValue: false, description: 'Sends the person a link to choose a password.' }),
            administrator: field.boolean({ defaultValue: false }),
            tier: field.field({ type: TierType, defaultValue: 'FREE' }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input }, context) => {
      requireAdministrator(context);
      const { username, name, password } = input;
      const address = normalAddress(input.email);
      const problems = new Problems();
      problems.add('email', addressProblems(address));
      problems.add('name', textProblems(name));
      problems.add('username', pathProblems(username, true));
      if (password != null) problems.add('password', passwordProblems(password));
      problems.refuse();

      const passwordHash = password == null ? null : await hashPassword(password);
      const { id } = await unlessTaken(
        { Route: 'username', Email: 'email' },
        () =>
          context.database.prisma.$transaction(async (prisma) => {
            const user = await prisma.user.create({
              data: {
                username,
                name,
                passwordHash,
                administrator: input.administrator ?? false,
                tier: input.tier ?? 'FREE',
              },
            });
            const namespace = await prisma.namespace.create({
              data: { kind: 'USER', ownerId: user.id, path: username, name, fullPath: username, visibility: 'PUBLIC' },
            });
            await prisma.namespace.update({ where: { id: namespace.id }, data: { ancestry: [namespace.id] } });
            await prisma.email.create({
              data: { userId: user.id, primaryOf: user.id, address, verifiedAt: input.emailVerified ? new Date() : null },
            });
            await prisma.route.create({ data: { path: username.toLowerCase(), namespaceId: namespace.id } });
            return user;
          }),
        alreadyTaken,
      );
      await auditUser(context, 'user_created', id);
      return { id };
    },
  }),
);
