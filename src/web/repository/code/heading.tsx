import { TextField } from '../../site/forms/forms.tsx';
import { codePath, switchPath, type CodeOf, type CodePage } from './addresses.ts';
import type { Located } from './locate.ts';

/** Names of branches and tags to choose from. */
export interface RefNames {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

/** How many names of each kind are offered to choose from; any other may be typed. */
export const offeredRefs = 100;

interface CodeHeadingProps {
  readonly of: CodeOf & { readonly name: string };
  readonly at: Located;
  /** The page that another revision is shown on. */
  readonly page: CodePage;
  readonly refs: RefNames;
}

/** Where one is in a repository: the choice of the revision, then the path as links. */
export function CodeHeading({ of, at, page, refs }: CodeHeadingProps) {
  return (
    <>
      <RefChoice of={of} at={at} page={page} refs={refs} />
      {at.path !== '' && <Crumbs of={of} at={at} page={page === 'commits' ? 'commits' : 'tree'} />}
    </>
  );
}

/** A form that leads to the same path at another revision. */
function RefChoice({ of, at: { ref, path }, page, refs }: CodeHeadingProps) {
  return (
    <form class="filters ref-choice" method="get" action={switchPath(of)}>
      <input type="hidden" name="to" value={page} />
      {path !== '' && <input type="hidden" name="path" value={path} />}
      <TextField
        name="ref"
        label="Branch, tag or commit"
        value={ref}
        suggestions={[...new Set([...refs.branches, ...refs.tags])]}
        technical
        required
      />
      <button class="button">Show</button>
    </form>
  );
}

/** The path as links to each folder on the way. */
function Crumbs({ of, at: { ref, path }, page }: Omit<CodeHeadingProps, 'refs'>) {
  const parts = path.split('/');
  return (
    <nav class="crumbs" aria-label="Path">
      <ol>
        <li>
          <a href={codePath(of, page, ref)}>
            <bdi>{of.name}</bdi>
          </a>
        </li>
        {parts.map((part, index) => (
          <li>
            {index === parts.length - 1 ? (
              <bdi aria-current="page">{part}</bdi>
            ) : (
              <a href={codePath(of, page, ref, parts.slice(0, index + 1).join('/'))}>
                <bdi>{part}</bdi>
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
