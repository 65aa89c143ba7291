import type { Site } from './layout.tsx';
import { DecisionLayout } from './decision-layout.tsx';

interface DeadLinkProps {
  readonly site: Site;
  /** Where to get a new link. */
  readonly again: { readonly path: string; readonly label: string };
}

/** The page for a mailed link that was used, has expired, or is invalid. */
export function DeadLink({ site, again }: DeadLinkProps) {
  return (
    <DecisionLayout site={site} title="This link no longer works">
      <h1>This link no longer works</h1>
      <p>It was already used, has expired, or is no longer valid for this account.</p>
      <p class="decision">
        <a class="button" href={again.path}>
          {again.label}
        </a>
      </p>
    </DecisionLayout>
  );
}
