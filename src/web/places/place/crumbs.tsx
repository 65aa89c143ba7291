import { placePath, type Kind } from './place.ts';

interface CrumbsProps {
  readonly kind: Kind;
  readonly place: { readonly name: string; readonly fullPath: string };
  /** Whether the page is that of the place itself. */
  readonly isHere?: boolean;
}

/** The way to a group or a project: every group above it by its path, and the place itself by its name. */
export function Crumbs({ kind, place: { name, fullPath }, isHere = false }: CrumbsProps) {
  const above = fullPath.split('/').slice(0, -1);
  return (
    <nav class="way" aria-label="Breadcrumbs">
      <ol>
        {above.map((part, at) => (
          <li>
            {/* The first one may be a person: their address leads on to that of a group. */}
            <a href={at === 0 ? `/${part}` : placePath('group', above.slice(0, at + 1).join('/'))}>{part}</a>
          </li>
        ))}
        <li>
          <a href={placePath(kind, fullPath)} aria-current={isHere ? 'page' : undefined}>
            <bdi>{name}</bdi>
          </a>
        </li>
      </ol>
    </nav>
  );
}
