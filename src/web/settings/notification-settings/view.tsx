import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { notificationEvents, toWireEvent, type EventName } from '../../../values/kinds/notification-events.ts';
import { levelChoices, notificationLevels, toWireLevel } from '../../../values/kinds/notification-levels.ts';
import { Moment } from '../../site/records/day.tsx';
import { Form, NotSaved, Obstacle, SelectField } from '../../site/forms/forms.tsx';
import { InForm } from '../../site/forms/restored-form.ts';
import type { Site } from '../../site/layout/layout.tsx';
import { keyOf, type Draft, type SettingKey } from './form.ts';
import { newGroupPath, newProjectPath } from '../../places/creation/view.tsx';
import { EventGrid, LevelField, type Setting } from './setting.tsx';
import { Pager } from '../../site/records/records.tsx';
import { AccountLayout } from '../../site/layout/sections.tsx';
import { preferencesPath } from '../../notifications/preferences/view.tsx';
import { Finder, findForm, NotificationTabs } from '../../notifications/sections.tsx';

export const notificationsPath = '/profile/notifications';

/** A group or a project with its setting. */
export interface PlaceWithSetting {
  readonly kind: 'group' | 'project';
  readonly id: number;
  readonly name: string;
  readonly fullPath: string;
  readonly setting: Setting;
}

interface NotificationsProps {
  readonly site: Site;
  readonly global: Setting;
  /** The verified addresses, the primary one first. */
  readonly addresses: readonly string[];
  /** The address that e-mail goes to. */
  readonly address: string | null;
  /** Until when nothing is sent; null: it is. */
  readonly mutedUntil: string | null;
  /** The groups and projects in tree order: a group comes directly before its contents. */
  readonly places: readonly PlaceWithSetting[];
  readonly search: string;
  /** Whether only settings are shown that the person changed. */
  readonly changed: boolean;
  /** The query of this page's address, to return to the same page after saving. */
  readonly carries: Readonly<Record<string, string | undefined>>;
  readonly before: string | null;
  readonly after: string | null;
  /** When the form is shown again with a problem: what the person chose. */
  readonly drafts?: ReadonlyMap<SettingKey, Draft>;
  readonly chosenAddress?: string | undefined;
  readonly problem?: { readonly address?: readonly string[]; readonly gone?: boolean } | undefined;
}

/** The page of all notification settings of a person, in one form. */
export function Notifications(props: NotificationsProps) {
  const {
    site,
    global,
    mutedUntil,
    places,
    search,
    changed,
    carries,
    before,
    after,
    drafts = new Map(),
    problem,
  } = props;
  const title = 'Notifications';
  return (
    <AccountLayout
      site={site}
      title={problem ? `Error: ${title}` : title}
      current={notificationsPath}
      load={['notifications.js']}
    >
      <h1>{title}</h1>
      <NotificationTabs current={notificationsPath} />
      <p class="lead">
        Choose what you get e-mail about. The level of a project overrides that of its group, and the level of a group
        overrides your global level.
      </p>
      {mutedUntil !== null && (
        <p class="warning">
          All notifications are muted until <Moment at={mutedUntil} />, whatever you choose here.{' '}
          <a href={preferencesPath}>Change that</a>
        </p>
      )}
      {problem?.address && <NotSaved />}
      {problem?.gone && (
        <Obstacle tone="warning">
          A group or a project that you changed no longer exists, so nothing is saved yet. Your other choices are below.
        </Obstacle>
      )}
      <Explanations events={global.events.map(({ event }) => event)} />
      <form id={findForm} method="get" action={notificationsPath} role="search" />
      <Form csrf={site.visitor!.csrf} action={notificationsPath} carries={carries}>
        <section class="panel" aria-labelledby="global">
          <h2 id="global">Global notification settings</h2>
          <div class="place">
            <div class="place-row">
              <p class="place-name">For every group and project that has no level of its own</p>
              <LevelField
                name="global"
                setting={global}
                draft={drafts.get('global')}
                label="Global notification level"
              />
            </div>
            <EventGrid name="global" setting={global} draft={drafts.get('global')} label="the global level" />
            <ApplyBelow name="global" losing={places}>
              Apply to all groups and projects: they lose levels of their own
            </ApplyBelow>
          </div>
          <Address {...props} />
        </section>
        <section class="panel" aria-labelledby="places">
          <div class="panel-head">
            <h2 id="places">Groups and projects</h2>
            {(search !== '' || before !== null || after !== null || places.length > 8) && (
              <Finder search={search} of="Name or path of a group or a project">
                {changed && <input form={findForm} type="hidden" name="changed" value="true" />}
              </Finder>
            )}
          </div>
          <Filter search={search} changed={changed} />
          {places.length === 0 ? (
            <NoPlaces search={search} changed={changed} />
          ) : (
            <Tree nodes={toTree(places)} drafts={drafts} />
          )}
        </section>
        <Pager of="groups and projects" before={before} after={after} labels={['Before', 'More']} />
        <div class="save-bar">
          <button class="button primary">Save changes</button>
          <button type="button" class="button" data-undo hidden>
            Undo
          </button>
          <Unsaved problem={problem !== undefined} />
        </div>
      </Form>
    </AccountLayout>
  );
}

/** The hint about unsaved changes. It is visible from the start if the form shows earlier, unsaved choices. */
function Unsaved({ problem }: { readonly problem: boolean }) {
  const restored = useContext(InForm) !== undefined;
  return (
    <span data-unsaved hidden={!problem && !restored}>
      Not saved yet
    </span>
  );
}

/** The levels and events in words, with the names that the API has for them. */
function Explanations({ events }: { readonly events: readonly EventName[] }) {
  return (
    <>
      <details class="meanings">
        <summary>What the levels mean</summary>
        <dl>
          {levelChoices.map((level) => (
            <>
              <dt>
                {notificationLevels[level].label} <code>{toWireLevel(level)}</code>
              </dt>
              <dd>{notificationLevels[level].explanation}</dd>
            </>
          ))}
        </dl>
      </details>
      <details class="meanings">
        <summary>What the events of Custom mean</summary>
        <dl>
          {events.map((event) => (
            <>
              <dt>
                {notificationEvents[event].label} <code>{toWireEvent(event)}</code>
              </dt>
              <dd>{notificationEvents[event].description}</dd>
            </>
          ))}
        </dl>
      </details>
    </>
  );
}

/** The choice of the address for e-mail. A person whose only verified address is the primary one has no choice. */
function Address({ addresses, address, chosenAddress, problem }: NotificationsProps) {
  const [primary, ...others] = addresses;
  if (others.length === 0 && !problem?.address)
    return (
      <p class="hint">
        {address === null ? 'You get no e-mail: your account has no e-mail address.' : `E-mail goes to ${address}.`}
      </p>
    );
  const stored = address === primary || address === null ? '' : address;
  return (
    <>
      <input type="hidden" name="was.email" value={stored} />
      <SelectField
        name="email"
        label="E-mail goes to"
        options={[
          { value: '', label: primary === undefined ? 'My primary address' : `My primary address, ${primary}` },
          ...others.map((other) => ({ value: other, label: other })),
        ]}
        value={chosenAddress ?? stored}
        errors={problem?.address}
      />
    </>
  );
}

interface Shown {
  readonly search: string;
  readonly changed: boolean;
}

/** Everything, or what the person changed. */
function Filter({ search, changed }: Shown) {
  const address = (query: Record<string, string>) => {
    const text = new URLSearchParams({ ...(search !== '' && { search }), ...query }).toString();
    return text === '' ? notificationsPath : `${notificationsPath}?${text}`;
  };
  return (
    <p class="filter">
      <a href={address({})} aria-current={changed ? undefined : 'true'}>
        All
      </a>
      <a href={address({ changed: 'true' })} aria-current={changed ? 'true' : undefined}>
        Changed by me
      </a>
    </p>
  );
}

interface ApplyBelowProps {
  readonly name: SettingKey;
  /** The places below that the page shows. */
  readonly losing: readonly PlaceWithSetting[];
  readonly children: ComponentChildren;
}

/** How many places are named that lose a level. */
const named = 3;

/** The box that gives a setting to everything below, and says what that takes away. */
function ApplyBelow({ name, losing, children }: ApplyBelowProps) {
  const own = losing.filter(({ setting }) => setting.level !== 'GLOBAL');
  const some = own
    .slice(0, named)
    .map(({ fullPath, setting: { level } }) => `${fullPath} (${notificationLevels[level].label})`);
  return (
    <label class="to-all">
      <input type="checkbox" name={`below.${name}`} />
      <span>
        {children}
        {some.length > 0 && `, like ${some.join(', ')}${own.length > named ? ` and ${own.length - named} more` : ''}`}
      </span>
    </label>
  );
}

function NoPlaces({ search, changed }: Shown) {
  if (changed && search === '')
    return (
      <p class="empty">
        All your groups and projects inherit their level. <a href={notificationsPath}>Show all</a>
      </p>
    );
  if (search === '')
    return (
      <p class="empty">
        You aren’t a member of any group or project yet. <a href={newProjectPath}>Create a project</a> or{' '}
        <a href={newGroupPath}>a group</a>.
      </p>
    );
  return (
    <p class="empty">
      None of your groups and projects matches “<bdi>{search}</bdi>”. <a href={notificationsPath}>Show all</a>
    </p>
  );
}

interface Node {
  readonly place: PlaceWithSetting;
  readonly inside: Node[];
}

/** Puts each place below its nearest group that is on the page too. */
function toTree(places: readonly PlaceWithSetting[]): Node[] {
  const roots: Node[] = [];
  const around: Node[] = [];
  for (const place of places) {
    while (around.length > 0 && !place.fullPath.startsWith(`${around.at(-1)!.place.fullPath}/`)) around.pop();
    const node = { place, inside: [] };
    (around.at(-1)?.inside ?? roots).push(node);
    around.push(node);
  }
  return roots;
}

function Tree({ nodes, drafts }: { readonly nodes: readonly Node[]; readonly drafts: ReadonlyMap<SettingKey, Draft> }) {
  return (
    <ul class="tree">
      {nodes.map(({ place, inside }) => (
        <li>
          <Place place={place} inside={placesIn(inside)} draft={drafts.get(keyOf(place.kind, place.id))} />
          {inside.length > 0 && <Tree nodes={inside} drafts={drafts} />}
        </li>
      ))}
    </ul>
  );
}

/** Some places with everything inside them, as far as the page shows it. */
const placesIn = (nodes: readonly Node[]): PlaceWithSetting[] =>
  nodes.flatMap(({ place, inside }) => [place, ...placesIn(inside)]);

interface PlaceProps {
  readonly place: PlaceWithSetting;
  readonly inside: readonly PlaceWithSetting[];
  readonly draft: Draft | undefined;
}

function Place({ place, inside, draft }: PlaceProps): ComponentChildren {
  const { kind, id, name, fullPath, setting } = place;
  const field = { name: keyOf(kind, id), setting, draft };
  return (
    <div class={setting.level === 'GLOBAL' ? 'place' : 'place own'} data-path={fullPath} data-name={name}>
      <div class="place-row">
        <p class="place-name">
          <a href={kind === 'group' ? `/groups/${fullPath}` : `/${fullPath}`}>
            <bdi>{name}</bdi>
          </a>
          <span>
            {kind === 'group' ? 'Group' : 'Project'} {fullPath}
          </span>
        </p>
        <LevelField {...field} label={`Notification level for ${fullPath}`} />
      </div>
      <EventGrid {...field} label={fullPath} brief />
      {kind === 'group' && (
        <ApplyBelow name={field.name} losing={inside}>
          Apply to everything in the group: it loses levels of its own
        </ApplyBelow>
      )}
    </div>
  );
}
