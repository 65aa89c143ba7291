import { placePath, type Kind } from './place.ts';

interface BackToProps {
  readonly kind: Kind;
  readonly place: { readonly name: string; readonly fullPath: string };
}

/** The link from a page about a group or a project to its own page. */
export function BackTo({ kind, place: { name, fullPath } }: BackToProps) {
  return (
    <p class="kind">
      {kind === 'group' ? 'Group' : 'Project'} ›{' '}
      <a href={placePath(kind, fullPath)}>
        <bdi>{name}</bdi>
      </a>
    </p>
  );
}
