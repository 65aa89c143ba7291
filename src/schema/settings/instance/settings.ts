import { changeSettings } from '../../../instance/statements.ts';
import { settingNames, settingTypes, type InstanceSettings, type SettingName } from '../../../instance/settings.ts';
import { InvalidFields } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { Problems } from '../../engine/input.ts';
import { engineOf } from '../../access/oauth/engine.ts';
import { VisibilityLevelsEnum } from '../../places/place/types.ts';

const Settings = builder.objectRef<InstanceSettings>('InstanceSettings').implement({
  description: 'Settings that administrators change at runtime.',
  fields: (t) => ({
    signUp: t.exposeBoolean('signUp', {
      description: 'Whether people may sign up. It needs mail, to confirm their addresses.',
    }),
    requireAdminApprovalAfterUserSignup: t.exposeBoolean('requireAdminApprovalAfterUserSignup', {
      description: 'Whether those who sign up wait for the approval of an administrator.',
    }),
    grants: t.stringList({
      description: 'Which grants of the profile are enabled, as values of `grant_type`.',
      resolve: ({ grants }) => [...grants],
    }),
    newApplicationScopes: t.stringList({
      description: 'Scopes that are preselected when a person registers an application on a page.',
      resolve: ({ newApplicationScopes }) => [...newApplicationScopes],
    }),
    newApplicationGrants: t.stringList({
      description: 'Grants that are preselected when a person registers an application on a page.',
      resolve: ({ newApplicationGrants }) => [...newApplicationGrants],
    }),
    impliedGrants: t.stringList({
      description:
        'Grants of an application that is registered over the API without grants, as far as its kind can use them.',
      resolve: ({ impliedGrants }) => [...impliedGrants],
    }),
    guardAdministrators: t.exposeBoolean('guardAdministrators', {
      description: 'Whether the scopes `api` and `sudo` are only for applications of the instance itself.',
    }),
    keepPasswordGrant: t.exposeBoolean('keepPasswordGrant', {
      description: 'Whether only applications of the instance itself may use the password grant.',
    }),
    projectVisibility: t.expose('projectVisibility', {
      type: VisibilityLevelsEnum,
      description: 'The visibility of a new project if none is given.',
    }),
    timeTrackingLimitToHours: t.exposeBoolean('timeTrackingLimitToHours', {
      description: 'Whether durations of time tracking are shown in hours and minutes, without days, weeks and months.',
    }),
    greeting: t.exposeString('greeting', { description: 'A text on the sign-in page.' }),
  }),
});

builder.queryFields((t) => ({
  instanceSettings: t.field({
    type: Settings,
    nullable: true,
    description: 'The settings of the instance. For administrators.',
    admission: { class: 'session' },
    resolve: (_root, _args, context) => {
      requireAdministrator(context);
      return context.settings;
    },
  }),
  profileGrants: t.stringList({
    nullable: true,
    description: 'The grants of the profile, from which administrators choose. For administrators.',
    admission: { class: 'session' },
    resolve: (_root, _args, context) => {
      requireAdministrator(context);
      return [...context.settingsStore.defaults.grants];
    },
  }),
  newApplication: t.field({
    type: builder.objectRef<InstanceSettings>('NewApplication').implement({
      description: 'What is preselected when a person registers an application on a page.',
      fields: (field) => ({
        scopes: field.stringList({ resolve: ({ newApplicationScopes }) => [...newApplicationScopes] }),
        grants: field.stringList({ resolve: ({ newApplicationGrants }) => [...newApplicationGrants] }),
      }),
    }),
    nullable: true,
    admission: { class: 'session' },
    resolve: (_root, _args, { settings }) => settings,
  }),
}));

const input = builder.inputType('UpdateInstanceSettingsInput', {
  description: 'Omitted fields stay as they are; null resets to the default.',
  fields: (t) => ({
    signUp: t.boolean(),
    requireAdminApprovalAfterUserSignup: t.boolean(),
    grants: t.stringList(),
    newApplicationScopes: t.stringList(),
    newApplicationGrants: t.stringList(),
    impliedGrants: t.stringList(),
    guardAdministrators: t.boolean(),
    keepPasswordGrant: t.boolean(),
    projectVisibility: t.field({ type: VisibilityLevelsEnum }),
    timeTrackingLimitToHours: t.boolean(),
    greeting: t.string(),
  }),
});

builder.mutationField('updateInstanceSettings', (t) =>
  t.field({
    type: builder.objectRef<{ settings: InstanceSettings }>('UpdateInstanceSettingsPayload').implement({
      fields: (field) => ({ settings: field.field({ type: Settings, resolve: ({ settings }) => settings }) }),
    }),
    nullable: true,
    description: 'Changes the settings of the instance. All processes follow within a second. For administrators.',
    admission: { class: 'session', recent: true },
    args: { input: t.arg({ type: input, required: true }) },
    resolve: async (_root, args, context) => {
      requireAdministrator(context);
      const given = settingNames.filter((name) => args.input[name] !== undefined);
      // Don't refuse sign-up that is on already: a form sends it along with other changes.
      if (args.input.signUp && !context.settings.signUp && !context.mail.configured)
        throw new InvalidFields({ signUp: [noMail] });
      const set = read(
        args.input,
        given.filter((name) => args.input[name] !== null),
      );
      const forget = given.filter((name) => args.input[name] === null);
      await context.database.rows(changeSettings, [JSON.stringify(set), forget]);
      await audit(engineOf(context), {
        kind: 'settings_updated',
        actorId: context.viewer.person?.id ?? null,
        detail: given.join(' '),
      });
      await context.settingsStore.reread();
      return { settings: context.settingsStore.current };
    },
  }),
);

const noMail =
  'can’t be switched on: no mail server is named (CAUSEWAY_SMTP_URL), so that no address could be confirmed';

/** Converts the input to stored values. @throws InvalidFields */
function read(values: typeof input.$inferInput, names: readonly SettingName[]): Partial<InstanceSettings> {
  const problems = new Problems();
  const set = names.map((name) => {
    const { success, data, error } = settingTypes[name].safeParse(values[name]);
    if (!success) problems.add(name, [...new Set(error.issues.map(({ message }) => message))]);
    return [name, data];
  });
  problems.refuse();
  return Object.fromEntries(set) as Partial<InstanceSettings>;
}
