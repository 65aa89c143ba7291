import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import { compileOperation } from '../../../operation.ts';
import { edited } from '../../site/fields.ts';
import { toAnswer } from '../../site/page.ts';
import { picturedFields } from '../../places/avatars/avatar.tsx';
import { avatarMistakes, avatarNotice, avatarOf, nothingChosen } from '../../places/avatars/form.tsx';
import { OwnProfile, ownAvatarPath, profilePath, type OwnAccount } from './view.tsx';
import { requireVisitor, seeOtherSaying, type PageRoute } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';

/** The page of the viewer's own profile. */
export function profilePages(schema: GraphQLSchema): PageRoute[] {
  const read = compileOperation<{ currentUser: OwnAccount }>(
    schema,
    `query { currentUser { ${picturedFields} username publicEmail createdAt email confirmedAt isAdministrator emails { nodes { email confirmedAt } } } }`,
  );
  const update = compileOperation<object>(
    schema,
    'mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { user { username } } }',
  );
  const updateAvatar = compileOperation<object>(
    schema,
    'mutation ($input: UpdateAvatarInput!) { updateAvatar(input: $input) { user { username } } }',
  );
  return [
    {
      path: ownAvatarPath,
      name: 'own picture',
      files: true,
      again: () => profilePath,
      async post(visit, form, files) {
        const { site, context } = visit;
        const again = async (errors: readonly string[]) => {
          const { currentUser } = await read.execute(context, {});
          return toAnswer(<OwnProfile site={site} account={currentUser} pictureErrors={errors} />, 422);
        };
        const avatar = avatarOf(form, files);
        if (avatar === undefined) return await again(nothingChosen);
        try {
          await updateAvatar.execute(context, { input: { avatar } });
        } catch (problem) {
          return await again(avatarMistakes(problem));
        }
        return seeOtherSaying(avatarNotice(avatar), profilePath, visit);
      },
    },
    {
      path: profilePath,
      name: 'profile',
      async get(visit) {
        requireVisitor(visit);
        const { currentUser } = await read.execute(visit.context, {});
        return toAnswer(<OwnProfile site={visit.site} account={currentUser} />);
      },
      async post(visit, form) {
        const { site, context } = visit;
        const { name = '', public_email: publicEmail = '' } = form;
        const { public_email: chosen, ...changes } = edited(form, ['name', 'public_email']);
        try {
          await update.execute(context, {
            input: { ...changes, ...(chosen !== undefined && { publicEmail: chosen }) },
          });
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          const { currentUser } = await read.execute(context, {});
          const errors = {
            name: sentences('The name', problem.fields.name),
            publicEmail: sentences('The address', problem.fields.publicEmail),
          };
          return toAnswer(
            <OwnProfile site={site} account={currentUser} draft={{ name, publicEmail }} errors={errors} />,
            422,
          );
        }
        return seeOtherSaying('profile_saved', profilePath, visit);
      },
    },
  ];
}
