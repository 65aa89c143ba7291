import type { ComponentChildren } from 'preact';
import type { PlaceHead } from '../../places/place/route.ts';
import { Form } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { mergeRequestPath } from './addresses.ts';

interface MergeRequestButtonProps {
  readonly site: Site;
  readonly place: PlaceHead;
  readonly mergeRequest: { readonly iid: string };
  /** The last part of its address. */
  readonly does: string;
  readonly quiet?: boolean;
  readonly carries?: Readonly<Record<string, string | undefined>>;
  readonly children: ComponentChildren;
}

/** A button that does one thing to a merge request. */
export function MergeRequestButton(props: MergeRequestButtonProps) {
  const { site, place, mergeRequest, does, quiet = false, carries, children } = props;
  return (
    <Form
      csrf={site.visitor!.csrf}
      action={mergeRequestPath(place, mergeRequest, `/${does}`)}
      {...(carries && { carries })}
    >
      <button class={quiet ? 'button quiet' : 'button'}>{children}</button>
    </Form>
  );
}
