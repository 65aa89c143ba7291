import type { ByReference, PlaceRow } from '../../../database/access/places.ts';
import type { Scope } from '../../../values/kinds/notification-levels.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { Group, Project } from '../../places/place/types.ts';
import { ownPerson, SettingType, toSetting, type Setting } from './setting.ts';
import { readGroupSetting, readProjectSetting, type SettingRow } from './statements.ts';

/** One's own setting as a field of a group or a project. One statement reads those of a page. */
const settingsOf = (scope: Scope, { many }: ByReference<PlaceRow & SettingRow>) =>
  batched<Setting>(async (context, ids) => {
    const person = ownPerson(context);
    const rows = await context.database.rows(many, [ids, person.id, []]);
    return new Map(rows.map((row) => [row.id, toSetting(person, scope, row.id, row)]));
  });
const ofGroups = settingsOf('GROUP', readGroupSetting);
const ofProjects = settingsOf('PROJECT', readProjectSetting);

builder.objectField(Group, 'notificationSettings', (t) =>
  t.field({
    type: SettingType,
    nullable: true,
    description: 'Your own notification setting for this group; null for a request without a person.',
    resolve: async ({ id }, _args, context) => (context.viewer.person && (await ofGroups(context, id))) ?? null,
  }),
);

builder.objectField(Project, 'notificationSettings', (t) =>
  t.field({
    type: SettingType,
    nullable: true,
    description: 'Your own notification setting for this project; null for a request without a person.',
    resolve: async ({ id }, _args, context) => (context.viewer.person && (await ofProjects(context, id))) ?? null,
  }),
);
