import { Forbidden } from '../../../../errors.ts';
import { reads } from '../../../../policy/index.ts';
import { builder } from '../../../engine/builder.ts';
import { settingsConnection } from '../../../settings/notification-settings/list.ts';
import { SettingType } from '../../../settings/notification-settings/setting.ts';
import { ofAccount } from '../account.ts';
import { isOwn } from '../seen.ts';
import { User } from '../types.ts';

builder.interfaceField(User, 'notificationSettings', (t) =>
  t.connection({
    type: SettingType,
    description:
      'All your own notification settings: the global one, then those of each group and project that you are a direct member of, that you own, or for which you set something.',
    admission: { class: 'token', scopes: reads },
    args: {
      search: t.arg.string({
        description: 'Only groups and projects whose name or path contains this, case-insensitive.',
      }),
      inherited: t.arg.boolean({
        description: 'Also groups and projects that you are an inherited member of.',
      }),
      changed: t.arg.boolean({
        description: 'Only settings in which you chose a level or switched an event.',
      }),
    },
    resolve: async (user, args, context, info) => {
      if (!isOwn(user.id, context)) throw new Forbidden();
      const { id, username, administrator, tier } = user;
      const external = await ofAccount(context, user, (account) => account?.attributes.external === true);
      const person = { id, username, administrator, premium: tier === 'PREMIUM', external };
      return settingsConnection(context, person, args, info);
    },
  }),
);
