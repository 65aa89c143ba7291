import { PlaceLayout, type PlaceSection } from '../../places/place/layout.tsx';
import type { PlaceHead } from '../../places/place/route.ts';
import { NotSaved } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Markdown } from '../markdown.tsx';
import type { AwardDraft } from './award.ts';
import { Offered } from './awards.tsx';

/** A comment that may get emoji. */
export interface AwardedNote {
  readonly bodyHtml: string;
  readonly system: boolean;
  readonly author: { readonly name: string };
}

interface AwardPageProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly section: PlaceSection;
  readonly note: AwardedNote;
  /** The address that the forms are sent to. */
  readonly action: string;
  /** The address of the comment. */
  readonly back: string;
  readonly draft?: AwardDraft | undefined;
}

/** The emoji that a person may give to a comment. */
export function AwardPage({ site, place, section, note, action, back, draft }: AwardPageProps) {
  const of = `the comment of ${note.author.name}`;
  const title = `React to ${of}`;
  return (
    <PlaceLayout site={site} place={place} title={draft ? `Error: ${title}` : title} current={section}>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {draft && <NotSaved />}
      <Markdown html={note.bodyHtml} />
      <p class="hint">An emoji that you gave already is taken back.</p>
      <Offered csrf={site.visitor!.csrf} of={of} action={action} draft={draft} />
      <p>
        <a href={back}>Back to the comment</a>
      </p>
    </PlaceLayout>
  );
}
