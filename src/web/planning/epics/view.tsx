import { below, PlaceLayout } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { Day } from '../../site/records/day.tsx';
import { Form } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge, Pager } from '../../site/records/records.tsx';
import { Markdown } from '../markdown.tsx';

/** An epic as lists show it. */
export interface ListedEpic {
  readonly iid: string;
  readonly title: string;
  readonly state: 'opened' | 'closed';
  readonly createdAt: string;
  readonly webPath: string;
  readonly author: { readonly name: string; readonly webPath: string } | null;
}

export interface ShownEpic extends ListedEpic {
  readonly descriptionHtml: string | null;
  readonly subscribed: boolean;
}

/** The path of the page of an epic, and of what is below it. */
export const epicPath = (place: PlaceHead, iid: string, more = ''): string => below(place, `/epics/${iid}${more}`);

interface EpicsProps {
  readonly site: Site;
  readonly place: PlaceHead;
}

/** Whether it is open, its number, and who opened it when. */
function Standing({ epic: { iid, state, author, createdAt } }: { readonly epic: ListedEpic }) {
  return (
    <>
      <Badge>{state === 'opened' ? 'Open' : 'Closed'}</Badge> &amp;{iid} · opened <Day at={createdAt} />
      {author && (
        <>
          {' '}
          by{' '}
          <a href={author.webPath}>
            <bdi>{author.name}</bdi>
          </a>
        </>
      )}
    </>
  );
}

export function EpicList({
  site,
  place,
  epics,
  pages,
}: EpicsProps & {
  readonly epics: readonly ListedEpic[];
  readonly pages: { before: string | null; after: string | null };
}) {
  return (
    <PlaceLayout site={site} place={place} title={`Epics · ${place.name}`} current="epics">
      <h1>Epics</h1>
      <p class="lead">An epic is work that spans several projects of a group. Epics are created over the API.</p>
      {epics.length === 0 ? (
        <p class="empty">No epics yet.</p>
      ) : (
        <ul class="records">
          {epics.map((epic) => (
            <li>
              <a href={epic.webPath}>
                <bdi>{epic.title}</bdi>
              </a>
              <p>
                <Standing epic={epic} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager of="epics" {...pages} labels={['Previous', 'Next']} />
    </PlaceLayout>
  );
}

export function EpicPage({ site, place, epic }: EpicsProps & { readonly epic: ShownEpic }) {
  const { iid, title, descriptionHtml, subscribed } = epic;
  return (
    <PlaceLayout site={site} place={place} title={title} current="epics">
      <p class="kind">
        <a href={below(place, '/epics')}>Epics</a>
      </p>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <p class="standing">
        <Standing epic={epic} />
      </p>
      {descriptionHtml && (
        <section class="described" aria-label="Description">
          <Markdown html={descriptionHtml} />
        </section>
      )}
      {site.visitor && (
        <section aria-label="Notifications">
          <p>{subscribed ? 'You are subscribed.' : 'You aren’t subscribed.'}</p>
          <Form csrf={site.visitor.csrf} action={epicPath(place, iid, subscribed ? '/unsubscribe' : '/subscribe')}>
            <button class="button quiet">{subscribed ? 'Unsubscribe' : 'Subscribe'}</button>
          </Form>
        </section>
      )}
    </PlaceLayout>
  );
}
