import type { PlaceHead } from '../../places/place/route.ts';
import { Form, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Badge } from '../../site/records/records.tsx';
import { issuePath, type FoundIssue } from './issue.ts';

/** What a person typed to link or move an issue, with what is wrong with it in sentences. */
export interface OtherDraft {
  readonly of: 'link' | 'move';
  readonly text: string;
  readonly errors: readonly string[];
}

interface LinksProps extends Pick<FoundIssue, 'issue' | 'related' | 'moreRelated'> {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly draft?: OtherDraft | undefined;
}

/** The issues that an issue is linked with, and the form that links another one. */
export function LinkedIssues({ site, place, issue, related, moreRelated, draft }: LinksProps) {
  const mayLink = site.visitor !== null && issue.userPermissions.adminIssue && !place.archived;
  if (related.length === 0 && !mayLink) return null;
  const typed = draft?.of === 'link' ? draft : undefined;
  return (
    <>
      <h2>Linked issues</h2>
      {related.length > 0 && (
        <ul class="records">
          {related.map(({ id, issue: { title, webPath, reference, state } }) => (
            <li class="line">
              <div>
                <a href={webPath}>
                  <bdi>{title}</bdi>
                </a>
                <p>{reference}</p>
              </div>
              <Badge tone={state === 'opened' ? 'good' : undefined}>{state === 'opened' ? 'Open' : 'Closed'}</Badge>
              {mayLink && (
                <Form csrf={site.visitor!.csrf} action={issuePath(place, issue, `/links/${id}/remove`)}>
                  <button class="button quiet">
                    Unlink<span class="hidden"> {reference}</span>
                  </button>
                </Form>
              )}
            </li>
          ))}
        </ul>
      )}
      {moreRelated && <p class="hint">There are more linked issues than this page shows. The API lists all of them.</p>}
      {mayLink && (
        <details open={typed !== undefined}>
          <summary>Link an issue</summary>
          <Form csrf={site.visitor!.csrf} action={issuePath(place, issue, '/link')}>
            <TextField
              name="reference"
              label="Issue"
              hint={
                <>
                  <code>#12</code> of this project, <code>group/project#12</code>, or its address.
                </>
              }
              value={typed?.text ?? ''}
              errors={typed?.errors}
              required
              technical
            />
            <button class="button">Link it</button>
          </Form>
        </details>
      )}
    </>
  );
}

interface MoveProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly issue: FoundIssue['issue'];
  readonly draft?: OtherDraft | undefined;
}

/** The form that moves an issue to another project. */
export function MoveIssue({ site, place, issue, draft }: MoveProps) {
  const typed = draft?.of === 'move' ? draft : undefined;
  return (
    <details open={typed !== undefined}>
      <summary>Move to another project</summary>
      <Form csrf={site.visitor!.csrf} action={issuePath(place, issue, '/move')}>
        <TextField
          name="project"
          label="Path of the project"
          hint="The issue is closed here, and goes on there with its comments."
          value={typed?.text ?? ''}
          errors={typed?.errors}
          required
          technical
        />
        <button class="button">Move the issue</button>
      </Form>
    </details>
  );
}
