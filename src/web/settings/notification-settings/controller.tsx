import type { GraphQLSchema } from 'graphql';
import { InvalidFields, NotFound } from '../../../errors.ts';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { readQuery, withQuery, type Fields } from '../../site/forms/fields.ts';
import { changesOf, keyOf, applyEdit, readEdited, type Draft, type SettingKey } from './form.ts';
import { draftOf, settingFields, type Setting } from './setting.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { Notifications, notificationsPath, type PlaceWithSetting } from './view.tsx';
import { returnTo } from '../../site/return-to.ts';
import { seeOtherSaying, type PageRoute, type Visit } from '../../site/visit.ts';
import { sentences } from '../../site/words.ts';

interface NamedPlace {
  readonly id: number;
  readonly name: string;
  readonly fullPath: string;
}

interface Shown {
  readonly global: Setting & { readonly notificationEmail: string | null };
  readonly notificationPreferences: { readonly mutedUntil: string | null };
  readonly currentUser: {
    readonly emails: {
      readonly nodes: readonly {
        readonly email: string;
        readonly isPrimary: boolean;
        readonly confirmedAt: string | null;
      }[];
    };
    readonly notificationSettings: {
      readonly nodes: readonly (Setting & { readonly group: NamedPlace | null; readonly project: NamedPlace | null })[];
      readonly pageInfo: PageInfo;
    };
  };
}

/** The number of settings on a page. With every event of each, the page has about 60 kB. */
const pageSize = 20;

/** The page of a person's notification settings: the global one, and that of each group and project. */
export function notificationPages(schema: GraphQLSchema): PageRoute[] {
  const show = compileOperation<Shown>(
    schema,
    `query ($first: Int, $last: Int, $before: String, $after: String, $search: String, $changed: Boolean) {
      global: notificationSettings { ...S notificationEmail }
      notificationPreferences { mutedUntil }
      currentUser {
        emails { nodes { email isPrimary confirmedAt } }
        notificationSettings(first: $first, last: $last, before: $before, after: $after, search: $search, changed: $changed, inherited: true) {
          nodes { ...S group { id: databaseId name fullPath } project { id: databaseId name fullPath } }
          ${pageInfoFields}
        }
      }
    }
    fragment S on NotificationSettings { ${settingFields} }`,
  );
  const known = compileOperation<{ notificationSettings: Setting }>(
    schema,
    `query { notificationSettings { events { event } } }`,
  );
  const change = compileOperation<object>(
    schema,
    `mutation ($input: BulkUpdateNotificationSettingsInput!) { bulkUpdateNotificationSettings(input: $input) { notificationSettings { level } } }`,
  );

  /** @param form what the person sent, when the form is shown again with a problem */
  async function page(
    visit: Visit,
    query: Fields,
    form?: Fields,
    problem?: { address?: string[]; gone?: boolean },
  ): Promise<Answer> {
    const { site, context } = visit;
    const search = (query.search ?? '').slice(0, 255).trim();
    const changed = query.changed === 'true';
    const shown = await show.execute(context, {
      ...pageArguments(query, pageSize),
      search: search || null,
      changed,
    });
    const { global, currentUser, notificationPreferences } = shown;
    const places = placesOf(currentUser.notificationSettings.nodes);
    const verified = currentUser.emails.nodes.filter(({ confirmedAt }) => confirmedAt !== null);
    const { before, after } = query;
    return toAnswer(
      <Notifications
        site={site}
        global={global}
        addresses={verified
          .toSorted((one, other) => Number(other.isPrimary) - Number(one.isPrimary))
          .map(({ email }) => email)}
        address={global.notificationEmail}
        mutedUntil={notificationPreferences.mutedUntil}
        places={places}
        search={search}
        changed={changed}
        carries={{ search: search || undefined, changed: changed ? 'true' : undefined, before, after }}
        {...pagesAround(
          notificationsPath,
          { search, changed: changed ? 'true' : undefined, before, after },
          currentUser.notificationSettings.pageInfo,
        )}
        drafts={form && draftsOf(form, global, places)}
        chosenAddress={form?.email}
        problem={problem}
      />,
      problem ? 422 : 200,
      { scripts: true },
    );
  }

  return [
    {
      path: notificationsPath,
      name: 'notifications',
      again: backTo,
      get: (visit) => page(visit, readQuery(visit.exchange)),
      async post(visit, form) {
        const { context } = visit;
        const { notificationSettings } = await known.execute(context, {});
        const changes = changesOf(
          form,
          notificationSettings.events.map(({ event }) => event),
        );
        const back = backTo(form);
        if (changes.settings.length + changes.reset.length === 0) return seeOtherSaying('nothing_changed', back, visit);
        try {
          await change.execute(context, { input: changes });
        } catch (problem) {
          if (problem instanceof NotFound) return await page(visit, form, form, { gone: true });
          if (!(problem instanceof InvalidFields)) throw problem;
          return await page(visit, form, form, { address: sentences('The address', problem.fields.notificationEmail) });
        }
        return seeOtherSaying('notifications_saved', back, visit);
      },
    },
  ];
}

function placesOf(nodes: Shown['currentUser']['notificationSettings']['nodes']): PlaceWithSetting[] {
  return nodes.flatMap(({ group, project, ...setting }): PlaceWithSetting[] => {
    if (group) return [{ kind: 'group', ...group, setting }];
    return project ? [{ kind: 'project', ...project, setting }] : [];
  });
}

/** What the person chose in a form, for the settings that the page shows again. */
function draftsOf(form: Fields, global: Setting, places: readonly PlaceWithSetting[]): Map<SettingKey, Draft> {
  const edited = readEdited(form);
  const settings: [SettingKey, Setting][] = [
    ['global', global],
    ...places.map(({ kind, id, setting }) => [keyOf(kind, id), setting] as [SettingKey, Setting]),
  ];
  return new Map(
    settings.flatMap(([key, setting]) => {
      const came = edited.get(key);
      return came ? [[key, applyEdit(draftOf(setting), came)]] : [];
    }),
  );
}

/** The address of the page that had the form: this page, or that of a group or a project. */
const backTo = (form: Fields): string => (form.return_to === undefined ? addressOf(form) : returnTo(form.return_to));

/** The address of this page with the search and the cursor that it had. */
const addressOf = ({ search, changed, before, after }: Fields): string =>
  withQuery(notificationsPath, { search, changed, before, after });
