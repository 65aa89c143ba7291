import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { readSetting } from './read.ts';
import { ownPerson, SettingType, type Setting } from './setting.ts';

const scopes: readonly string[] = ['GLOBAL', 'GROUP', 'PROJECT'] satisfies Setting['scope'][];

/** Publishes changed settings to a person's subscribers. */
export function publishSettings({ changes }: Context, settings: readonly Setting[]): void {
  for (const { person, scope, id } of settings)
    changes.publish({ personId: person.id, subject: scope, id, act: 'CHANGED' });
}

builder.subscriptionField('notificationSettingsChanged', (t) =>
  t.field({
    type: SettingType,
    nullable: true,
    description:
      'One of your own notification settings, after a change or reset. Quick successive changes may be sent as one event; null if you no longer see the group or project.',
    admission: { class: 'token', scopes: reads },
    subscribe: (_root, _args, context) =>
      context.changes.subscribe(ownPerson(context).id, ({ subject }) => scopes.includes(subject)),
    resolve: async ({ subject, id }, _args, context) => {
      try {
        return await readSetting(
          context,
          subject === 'GLOBAL' ? {} : { [subject === 'GROUP' ? 'group' : 'project']: String(id) },
        );
      } catch (error) {
        if (error instanceof NotFound) return null;
        throw error;
      }
    },
  }),
);
