import { Unauthenticated } from '../../../errors.ts';
import { writes } from '../../../policy/index.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { Problems } from '../../engine/input.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { avatarOptions, checkAvatar } from './input.ts';
import { storeAvatar } from './store.ts';

mutation('updateAvatar', {
  description: 'Sets or removes your own picture.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ avatar: t.field(avatarOptions) }),
  payload: (t: FieldsOf<{ id: number }>) => ({
    user: t.field({ type: UserCore, resolve: async ({ id }, _args, context) => (await userById(context, id))! }),
  }),
  resolve: async ({ viewer, database }, { avatar }) => {
    // An application that acts for itself has no picture.
    if (!viewer.person) throw new Unauthenticated();
    const { id } = viewer.person;
    const problems = new Problems();
    const picture = checkAvatar(problems, avatar);
    problems.refuse();
    await storeAvatar(database, 'user', id, picture);
    return { id };
  },
});
