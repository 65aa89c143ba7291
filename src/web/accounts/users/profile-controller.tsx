import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import type { Context } from '../../../context.ts';
import { compileOperation } from '../../../operation.ts';
import { emojiNameOf } from '../../../values/text/emoji.ts';
import { profileAttributes } from '../../../values/attributes/user-attributes.ts';
import { changedAttributes, mistakesIn, namesOf, typedIn, type Mistakes } from '../../site/forms/attributes.tsx';
import { edited } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { avatarMistakes, avatarNotice, avatarOf, nothingChosen } from '../../places/avatars/form.tsx';
import { clearAfter, statusPath, type StatusDraft } from '../status/view.tsx';
import { OwnProfile, ownAvatarPath, profiledFields, profilePath, profileSections, type OwnAccount } from './view.tsx';
import { requireVisitor, seeOtherSaying, type PageRoute } from '../../site/visit.ts';

/** The page of the viewer's own profile. */
export function profilePages(schema: GraphQLSchema): PageRoute[] {
  const read = compileOperation<{ currentUser: OwnAccount }>(
    schema,
    `query { currentUser { ${profiledFields} privateProfile email confirmedAt isAdministrator emails { nodes { email confirmedAt } } } }`,
  );
  const update = compileOperation<object>(
    schema,
    'mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { user { username } } }',
  );
  const setStatus = compileOperation<object>(
    schema,
    'mutation ($input: UserSetStatusInput!) { userSetStatus(input: $input) { status { emoji } } }',
  );
  const accountOf = async (context: Context) => (await read.execute(context, {})).currentUser;
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
          const account = await accountOf(context);
          return toAnswer(<OwnProfile site={site} account={account} pictureErrors={errors} />, 422);
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
      path: statusPath,
      name: 'own status',
      again: () => profilePath,
      async post(visit, form) {
        const { site, context } = visit;
        const { message = '', clear_status_after: after = '' } = form;
        const draft: StatusDraft = { emoji: form.emoji ?? '', message, busy: form.busy === 'on' };
        const removed = form.remove === 'on' || (draft.emoji.trim() === '' && message.trim() === '' && !draft.busy);
        const clear = after === 'NEVER' ? null : Object.hasOwn(clearAfter, after) ? after : undefined;
        const input = removed
          ? { emoji: null, message: null, availability: null, clearStatusAfter: null }
          : {
              emoji: await emojiNameOf(draft.emoji),
              message: message.trim(),
              availability: draft.busy ? 'BUSY' : 'NOT_SET',
              clearStatusAfter: clear,
            };
        try {
          await setStatus.execute(context, { input });
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          const mistakes = mistakesIn(problem.fields, { emoji: 'The emoji', message: 'The status' });
          const account = await accountOf(context);
          return toAnswer(
            <OwnProfile site={site} account={account} statusDraft={draft} statusMistakes={mistakes} />,
            422,
          );
        }
        return seeOtherSaying(removed ? 'status_removed' : 'status_set', profilePath, visit);
      },
    },
    {
      path: profilePath,
      name: 'profile',
      async get(visit) {
        requireVisitor(visit);
        return toAnswer(<OwnProfile site={visit.site} account={await accountOf(visit.context)} />);
      },
      async post(visit, form) {
        const { site, context } = visit;
        const { name, public_email: publicEmail } = edited(form, ['name', 'public_email']);
        const names = namesOf(profileSections);
        const again = async (mistakes: Mistakes) => {
          const account = await accountOf(context);
          const typed = typedIn(['name', 'public_email', ...names], form);
          return toAnswer(<OwnProfile site={site} account={account} typed={typed} mistakes={mistakes} />, 422);
        };
        const { input } = changedAttributes(profileAttributes, names, form);
        try {
          await update.execute(context, {
            input: { ...input, ...(name !== undefined && { name }), ...(publicEmail !== undefined && { publicEmail }) },
          });
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          return await again(mistakesIn(problem.fields, { name: 'The name', publicEmail: 'The address' }));
        }
        return seeOtherSaying('profile_saved', profilePath, visit);
      },
    },
  ];
}
