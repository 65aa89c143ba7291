import type { Site } from '../../site/layout/layout.tsx';
import { comingBackTo, signInPath } from '../../site/return-to.ts';
import type { PlaceHead } from './route.ts';

interface WhyNotProps {
  readonly site: Site;
  readonly place: Pick<PlaceHead, 'archived'>;
  /** The lowest role that may. */
  readonly role: 'Developer' | 'Maintainer';
  /** What they can't do: `run pipelines`. */
  readonly to: string;
}

/** Why the viewer can't do something in a project. It stands where others have a button. */
export function WhyNot({ site, place, role, to }: WhyNotProps) {
  if (place.archived) return <p class="hint">This project is archived, so you can’t {to}.</p>;
  if (site.visitor)
    return (
      <p class="hint">
        You need at least the {role} role to {to}.
      </p>
    );
  return (
    <p class="hint">
      <a href={comingBackTo(signInPath, site.path)}>Sign in</a> to {to}.
    </p>
  );
}
