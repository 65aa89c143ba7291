import { clockIn } from '../../../values/time/time-zone.ts';
import { Ago, momentText } from '../../site/records/day.tsx';
import { carryShown, type Fields } from '../../site/forms/fields.ts';
import { Choices, Form, NotSaved, SelectField, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Pager } from '../../site/records/records.tsx';
import { AccountLayout } from '../../site/layout/sections.tsx';
import { Finder, findForm, NotificationTabs } from '../sections.tsx';

export const preferencesPath = '/profile/notifications/preferences';

export interface Preferences {
  readonly ownActivity: boolean;
  readonly mutedUntil: string | null;
  readonly quietFrom: string | null;
  readonly quietUntil: string | null;
  readonly digestMinutes: number;
  readonly timeZone: string | null;
  readonly effectiveTimeZone: string;
}

/** A group with the address that was chosen for it. */
export interface GroupAddress {
  readonly id: number;
  readonly name: string;
  readonly fullPath: string;
  readonly address: string | null;
}

export type FieldErrors = Readonly<
  Partial<Record<'mutedUntil' | 'quietFrom' | 'quietUntil' | 'digestMinutes' | 'timeZone' | 'address', string[]>>
>;

/** How long to mute, in hours, by the value in the form. */
export const muting = { '1': 'For an hour', '8': 'For 8 hours', '24': 'For a day', '168': 'For a week' } as const;

/** For how many minutes messages can be collected. */
const digests = [0, 5, 10, 15];

/** The fields of the form as the stored preferences have them. */
const shownFields = (
  { ownActivity, mutedUntil, quietFrom, quietUntil, digestMinutes, timeZone }: Preferences,
  groups: readonly GroupAddress[],
  zone: string,
): Record<string, string> => ({
  own_activity: ownActivity ? 'on' : '',
  mute: mutedUntil === null ? '' : 'keep',
  mute_at: mutedUntil === null ? '' : clockIn(zone, new Date(mutedUntil)),
  quiet_from: quietFrom ?? '',
  quiet_until: quietUntil ?? '',
  digest_minutes: String(digestMinutes),
  time_zone: timeZone ?? '',
  ...Object.fromEntries(groups.map(({ id, address }) => [`address.${id}`, address ?? ''])),
});

interface PreferencesProps {
  readonly site: Site;
  readonly preferences: Preferences;
  /** The verified addresses. */
  readonly addresses: readonly string[];
  /** Some of the person's groups, by their paths. */
  readonly groups: readonly GroupAddress[];
  /** The search and the cursor that they were found with. */
  readonly shown: Fields;
  /** The addresses of the groups before and after these. */
  readonly pages: { readonly before: string | null; readonly after: string | null };
  /** What the person chose, when the form is shown again with a problem. */
  readonly chosen?: Readonly<Record<string, string | undefined>> | undefined;
  readonly errors?: FieldErrors | undefined;
}

const zones = Intl.supportedValuesOf('timeZone');

/** The page on which people choose when and where messages reach them. */
export function PreferencesPage(props: PreferencesProps) {
  const { site, preferences, addresses, groups, shown, chosen, errors = {} } = props;
  const stored = shownFields(preferences, groups, site.timeZone);
  const value = (name: string) => (chosen ? (chosen[name] ?? '') : stored[name]!);
  const wrong = Object.keys(errors).length > 0;
  const title = 'When and where';
  return (
    <AccountLayout site={site} title={wrong ? `Error: ${title}` : title} current="/profile/notifications">
      <h1>Notifications</h1>
      <NotificationTabs current={preferencesPath} />
      <p class="lead">When messages reach you, and where they go.</p>
      {wrong && <NotSaved />}
      <form id={findForm} method="get" action={preferencesPath} role="search" />
      <Form csrf={site.visitor!.csrf} action={preferencesPath} carries={{ ...carryShown(stored), ...shown }}>
        <Mute until={preferences.mutedUntil} zone={site.timeZone} value={value} errors={errors.mutedUntil} />
        <TextField
          name="time_zone"
          label="Time zone"
          value={value('time_zone')}
          suggestions={zones}
          technical
          hint={`Like Europe/Vienna. Empty: pages show times in that of your browser, and quiet hours are in that of this instance${preferences.timeZone === null ? `, ${preferences.effectiveTimeZone}` : ''}.`}
          errors={errors.timeZone}
        />
        <TextField
          name="quiet_from"
          label="Quiet hours begin at"
          value={value('quiet_from')}
          technical
          hint="Like 22:00. Messages wait until the end of the quiet hours. Empty: there are none."
          errors={errors.quietFrom}
        />
        <TextField
          name="quiet_until"
          label="Quiet hours end at"
          value={value('quiet_until')}
          technical
          hint="Like 07:00."
          errors={errors.quietUntil}
        />
        <SelectField
          name="digest_minutes"
          label="Messages about the same thing"
          hint="What happens to an issue, a merge request, a snippet or an epic within that time is one message. Mentions, assignments and requests for a review are always sent at once."
          options={[...new Set([...digests, preferences.digestMinutes])]
            .toSorted((one, other) => one - other)
            .map((minutes) => ({
              value: String(minutes),
              label:
                minutes === 0
                  ? 'Send each at once'
                  : `Collect for ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`,
            }))}
          value={value('digest_minutes')}
          errors={errors.digestMinutes}
        />
        <Choices
          name="own"
          label="Your own activity"
          choices={[
            {
              name: 'own_activity',
              label: 'E-mail about your own activity',
              says: 'You also get messages about what you do yourself.',
              chosen: value('own_activity') === 'on',
            },
          ]}
        />
        {addresses.length > 1 && <GroupAddresses {...props} value={value} errors={errors.address} />}
        <button class="button primary">Save changes</button>
      </Form>
    </AccountLayout>
  );
}

interface MuteProps {
  readonly until: string | null;
  /** The time zone of the page. */
  readonly zone: string;
  /** What the form holds, by the name of the field. */
  readonly value: (name: 'mute' | 'mute_at') => string;
  readonly errors: readonly string[] | undefined;
}

/** How long to mute: for some hours, or until a date and time, whose field the stylesheet shows only where that is chosen. */
function Mute({ until, zone, value, errors }: MuteProps) {
  return (
    <div class="mute">
      <SelectField
        name="mute"
        label="Mute"
        hint={
          <>
            {until !== null && (
              <>
                It ends <Ago at={until} />.{' '}
              </>
            )}
            Nothing is sent until then, and nothing later about what happened in the meantime.
          </>
        }
        options={[
          { value: '', label: 'Not muted' },
          ...(until === null ? [] : [{ value: 'keep', label: `Until ${momentText(until, zone)}` }]),
          ...Object.entries(muting).map(([hours, label]) => ({ value: hours, label })),
          { value: 'at', label: 'Until a date and time' },
        ]}
        value={value('mute')}
      />
      <TextField
        name="mute_at"
        label="Muted until"
        type="datetime-local"
        hint={`A time in ${zone}, if “Until a date and time” is chosen.`}
        value={value('mute_at')}
        errors={errors}
      />
    </div>
  );
}

interface GroupAddressesProps extends Pick<PreferencesProps, 'addresses' | 'groups' | 'shown' | 'pages'> {
  /** The value of a field. */
  readonly value: (name: string) => string;
  readonly errors: readonly string[] | undefined;
}

/** The address for each group, as far as they are on this page. */
function GroupAddresses({ addresses, groups, shown, pages, value, errors }: GroupAddressesProps) {
  const { search = '' } = shown;
  const isPaged = pages.before !== null || pages.after !== null;
  if (groups.length === 0 && search === '' && !isPaged) return null;
  return (
    <section class="panel" aria-labelledby="addresses">
      <div class="panel-head">
        <h2 id="addresses">Addresses of groups</h2>
        {(search !== '' || isPaged) && <Finder search={search} of="Name or path of a group" />}
      </div>
      {groups.length === 0 && (
        <p class="empty">
          None of your groups matches “<bdi>{search}</bdi>”. <a href={preferencesPath}>Show all</a>
        </p>
      )}
      {groups.map(({ id, name, fullPath }) => (
        <SelectField
          name={`address.${id}`}
          label={`Address for the group ${name === fullPath ? name : `${name} (${fullPath})`}`}
          options={[
            { value: '', label: 'As in the group above, or your global address' },
            ...addresses.map((address) => ({ value: address, label: address })),
          ]}
          value={value(`address.${id}`)}
          errors={errors}
        />
      ))}
      <Pager of="groups" {...pages} labels={['Before', 'More']} />
    </section>
  );
}
