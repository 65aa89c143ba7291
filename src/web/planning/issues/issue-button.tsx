import type { ComponentChildren } from 'preact';
import type { PlaceHead } from '../../places/place/route.ts';
import { Form } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { issuePath, type ShownIssue } from './issue.ts';

interface IssueButtonProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly issue: ShownIssue;
  /** The last part of its address. */
  readonly does: string;
  readonly quiet?: boolean;
  readonly children: ComponentChildren;
}

/** A button that does one thing to an issue. */
export function IssueButton({ site, place, issue, does, quiet = false, children }: IssueButtonProps) {
  return (
    <Form csrf={site.visitor!.csrf} action={issuePath(place, issue, `/${does}`)}>
      <button class={quiet ? 'button quiet' : 'button'}>{children}</button>
    </Form>
  );
}
