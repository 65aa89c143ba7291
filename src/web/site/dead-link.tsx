import type { Site } from './layout.tsx';
import { DecisionLayout } from './decision-layout.tsx';

interface DeadLinkProps {
  readonly site: Site;
  /** Where another one is to be had. */
  readonly again: { readonly path: string; readonly label: string };
}

/** Behind a link of a message that was used, is too old, or never was one. */
export function DeadLink({ site, again }: DeadLinkProps) {
  return (
    <DecisionLayout site={site} title="This link works no more">
      <h1>This link works no more</h1>
      <p>It was used already, or it is too old, or what it was for has changed.</p>
      <p class="decision">
        <a class="button" href={again.path}>
          {again.label}
        </a>
      </p>
    </DecisionLayout>
  );
}
