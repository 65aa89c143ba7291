import type { GraphQLSchema } from 'graphql';
import { InvalidFields } from '../../../errors.ts';
import { momentIn } from '../../../values/time/time-zone.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { edited, readQuery, withQuery, type Fields } from '../../site/forms/fields.ts';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { requireVisitor, seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';
import {
  muting,
  PreferencesPage,
  preferencesPath,
  type FieldErrors,
  type GroupAddress,
  type Preferences,
} from './view.tsx';

interface Shown {
  readonly notificationPreferences: Preferences;
  readonly currentUser: {
    readonly emails: { readonly nodes: readonly { readonly email: string; readonly confirmedAt: string | null }[] };
  };
  readonly groups: {
    readonly nodes: readonly (Omit<GroupAddress, 'address'> & {
      readonly notificationSettings: { readonly notificationEmail: string | null };
    })[];
    readonly pageInfo: PageInfo;
  };
}

/** Groups on a page. */
const pageSize = 20;

const hour = 3_600_000;

/** The input of the mutation for what the person edited. @param zone of the times on the page @throws InvalidFields */
function changesOf(form: Fields, zone: string): object {
  const { mute, quiet_from, quiet_until, digest_minutes, time_zone, own_activity } = edited(form, [
    'mute',
    'quiet_from',
    'quiet_until',
    'digest_minutes',
    'time_zone',
    'own_activity',
  ]);
  const quiet = quiet_from !== undefined || quiet_until !== undefined;
  return {
    ...(mute !== undefined && mute !== 'keep' && { mutedUntil: mutedUntil(mute, form.mute_at ?? '', zone) }),
    ...(quiet && { quietFrom: form.quiet_from || null, quietUntil: form.quiet_until || null }),
    ...(digest_minutes !== undefined && { digestMinutes: minutesIn(digest_minutes) }),
    ...(time_zone !== undefined && { timeZone: time_zone.trim() || null }),
    ...(own_activity !== undefined && { ownActivity: own_activity === 'on' }),
  };
}

/** The number of minutes that was chosen. @throws InvalidFields */
function minutesIn(chosen: string): number {
  if (!/^\d{0,3}$/.test(chosen)) throw new InvalidFields({ digestMinutes: ['is not a number of minutes'] });
  return Number(chosen);
}

/** Until when to mute: for hours, until the time that a clock shows, or not at all. @throws InvalidFields */
function mutedUntil(chosen: string, clock: string, zone: string): string | null {
  if (Object.hasOwn(muting, chosen)) return new Date(Date.now() + Number(chosen) * hour).toISOString();
  if (chosen !== 'at') return null;
  const until = momentIn(zone, clock);
  if (!until || until.getTime() <= Date.now()) throw new InvalidFields({ mutedUntil: ['must be a time to come'] });
  return until.toISOString();
}

/** The addresses of groups that the person edited, as changes of settings. */
function addressesOf(form: Fields): object[] {
  const names = Object.keys(form).filter((name) => /^address\.\d{1,9}$/.test(name));
  return Object.entries(edited(form, names)).map(([name, address]) => ({
    group: name.slice('address.'.length),
    notificationEmail: address || null,
  }));
}

/** The search and the cursor of the groups on the page. */
const shownIn = ({ search = '', before, after }: Fields): Fields => ({
  search: search.slice(0, 255).trim(),
  before,
  after,
});

/** The address of this page with the groups that it had. */
const addressOf = (form: Fields): string => withQuery(preferencesPath, shownIn(form));

/** The page on which people choose when and where messages reach them. */
export function preferencePages(schema: GraphQLSchema): PageRoute[] {
  const read = compileOperation<Shown>(
    schema,
    `query ($search: String, $first: Int, $last: Int, $before: String, $after: String) {
      notificationPreferences { ownActivity mutedUntil quietFrom quietUntil digestMinutes timeZone effectiveTimeZone }
      currentUser { emails { nodes { email confirmedAt } } }
      groups(allAvailable: false, search: $search, sort: "path_asc", first: $first, last: $last, before: $before, after: $after) {
        nodes { id: databaseId name fullPath notificationSettings { notificationEmail } } ${pageInfoFields}
      }
    }`,
  );
  const change = compileOperation<object>(
    schema,
    'mutation ($input: UpdateNotificationPreferencesInput!) { updateNotificationPreferences(input: $input) { clientMutationId } }',
  );
  const changeAddresses = compileOperation<object>(
    schema,
    'mutation ($input: BulkUpdateNotificationSettingsInput!) { bulkUpdateNotificationSettings(input: $input) { clientMutationId } }',
  );

  /** @param query the parameters of the address, or the form that carries them */
  async function page(visit: Visit, query: Fields, chosen?: Fields, errors?: FieldErrors): Promise<Answer> {
    const { site, context } = visit;
    const shown = shownIn(query);
    const { notificationPreferences, currentUser, groups } = await read.execute(context, {
      ...pageArguments(shown, pageSize),
      ...(shown.search && { search: shown.search }),
    });
    const addresses = currentUser.emails.nodes.flatMap(({ email, confirmedAt }) =>
      confirmedAt === null ? [] : [email],
    );
    return toAnswer(
      <PreferencesPage
        site={site}
        preferences={notificationPreferences}
        addresses={addresses}
        groups={groups.nodes.map(({ notificationSettings, ...group }) => ({
          ...group,
          address: notificationSettings.notificationEmail,
        }))}
        shown={shown}
        pages={pagesAround(preferencesPath, shown, groups.pageInfo)}
        chosen={chosen}
        errors={errors}
      />,
      errors ? 422 : 200,
    );
  }

  return [
    {
      path: preferencesPath,
      name: 'notification preferences',
      get(visit) {
        requireVisitor(visit);
        return page(visit, readQuery(visit.exchange));
      },
      async post(visit, form) {
        try {
          const [input, settings] = [changesOf(form, visit.site.timeZone), addressesOf(form)];
          const changes = Object.keys(input).length > 0;
          if (!changes && settings.length === 0) return seeOtherSaying('nothing_changed', addressOf(form), visit);
          if (changes) await change.execute(visit.context, { input });
          if (settings.length > 0) await changeAddresses.execute(visit.context, { input: { settings } });
        } catch (problem) {
          if (!(problem instanceof InvalidFields)) throw problem;
          const {
            mutedUntil: muted,
            quietFrom,
            quietUntil,
            digestMinutes,
            timeZone,
            notificationEmail,
          } = problem.fields;
          return await page(visit, form, form, {
            ...(muted && { mutedUntil: sentences('This', muted) }),
            ...(quietFrom && { quietFrom: sentences('This', quietFrom) }),
            ...(quietUntil && { quietUntil: sentences('This', quietUntil) }),
            ...(digestMinutes && { digestMinutes: sentences('This', digestMinutes) }),
            ...(timeZone && { timeZone: sentences('This', timeZone) }),
            ...(notificationEmail && { address: sentences('The address', notificationEmail) }),
          });
        }
        return seeOtherSaying('notification_preferences_saved', addressOf(form), visit);
      },
    },
  ];
}
