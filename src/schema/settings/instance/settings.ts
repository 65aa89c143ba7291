import { changeSettings } from '../../../instance/statements.ts';
import { settingNames, settingTypes, type InstanceSettings, type SettingName } from '../../../instance/settings.ts';
import { InvalidFields } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { builder } from '../../engine/builder.ts';
import { Problems } from '../../engine/input.ts';
import { engineOf } from '../../access/oauth/engine.ts';
import { VisibilityType } from '../../places/place/types.ts';

const Settings = builder.objectRef<InstanceSettings>('InstanceSettings').implement({
  description: 'What administrators change while the instance runs.',
  fields: (t) => ({
    signUp: t.exposeBoolean('signUp', {
      description: 'Whether strangers may make accounts, where mail is sent to confirm their addresses.',
    }),
    grants: t.stringList({
      description: 'Which of the profile’s grants there are, by the names that `grant_type` has.',
      resolve: ({ grants }) => [...grants],
    }),
    newApplicationScopes: t.stringList({
      description: 'Scopes that are ticked already where a person registers an application on a page.',
      resolve: ({ newApplicationScopes }) => [...newApplicationScopes],
    }),
    newApplicationGrants: t.stringList({
      description: 'Grants that are ticked already where a person registers an application on a page.',
      resolve: ({ newApplicationGrants }) => [...newApplicationGrants],
    }),
    impliedGrants: t.stringList({
      description:
        'Grants of an application that is registered over the API without naming any, as far as its kind can use them.',
      resolve: ({ impliedGrants }) => [...impliedGrants],
    }),
    guardAdministrators: t.exposeBoolean('guardAdministrators', {
      description: 'Whether administrators can give `api` and `sudo` only to applications of the instance itself.',
    }),
    keepPasswordGrant: t.exposeBoolean('keepPasswordGrant', {
      description: 'Whether only applications of the instance itself may use the password grant.',
    }),
    projectVisibility: t.expose('projectVisibility', {
      type: VisibilityType,
      description: 'Of a project that nobody said a visibility for.',
    }),
    greeting: t.exposeString('greeting', { description: 'Shown where people sign in.' }),
  }),
});

builder.queryFields((t) => ({
  instanceSettings: t.field({
    type: Settings,
    nullable: true,
    description: 'For administrators.',
    admission: { class: 'session' },
    resolve: (_root, _args, context) => {
      requireAdministrator(context);
      return context.settings;
    },
  }),
  profileGrants: t.stringList({
    nullable: true,
    description: 'The grants among which administrators choose: those of the profile. For administrators.',
    admission: { class: 'session' },
    resolve: (_root, _args, context) => {
      requireAdministrator(context);
      return [...context.settingsStore.defaults.grants];
    },
  }),
  newApplication: t.field({
    type: builder.objectRef<InstanceSettings>('NewApplication').implement({
      description: 'What is ticked already where a person registers an application on a page.',
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
  description: 'What is left out stays as it is; null goes back to the default.',
  fields: (t) => ({
    signUp: t.boolean(),
    grants: t.stringList(),
    newApplicationScopes: t.stringList(),
    newApplicationGrants: t.stringList(),
    impliedGrants: t.stringList(),
    guardAdministrators: t.boolean(),
    keepPasswordGrant: t.boolean(),
    projectVisibility: t.field({ type: VisibilityType }),
    greeting: t.string(),
  }),
});

builder.mutationField('updateInstanceSettings', (t) =>
  t.field({
    type: builder.objectRef<{ settings: InstanceSettings }>('UpdateInstanceSettingsPayload').implement({
      fields: (field) => ({ settings: field.field({ type: Settings, resolve: ({ settings }) => settings }) }),
    }),
    nullable: true,
    description: 'Changes what holds for everyone, everywhere within a second. For administrators.',
    admission: { class: 'session', recent: true },
    args: { input: t.arg({ type: input, required: true }) },
    resolve: async (_root, args, context) => {
      requireAdministrator(context);
      const given = settingNames.filter((name) => args.input[name] !== undefined);
      // Where it is on already, it may be said again: a form with other changes isn't refused because of it.
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

/** The values as they are stored. @throws InvalidFields */
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
