/** Someone or something with a picture. */
export interface Pictured {
  readonly id: number;
  readonly name: string;
  readonly avatarUrl: string | null;
}

/** The fields that operations select for a picture. */
export const picturedFields = 'id: databaseId name avatarUrl';

/** How many colours there are for letters; `avatars.css` has one rule for each. */
const tints = 8;

interface AvatarProps {
  readonly of: Pictured;
  readonly kind?: 'user' | 'group' | 'project';
  readonly large?: boolean;
}

/**
 * A picture, or else the first letter of the name in a colour that follows from the id. It stands beside the name, so
 * screen readers skip it. People are round, places have corners.
 */
export function Avatar({ of: { id, name, avatarUrl }, kind = 'user', large = false }: AvatarProps) {
  const look = `avatar ${kind}${large ? ' large' : ''}`;
  const size = large ? 72 : 36;
  // The path alone: a page may be open under another host name than the gateway's own.
  if (avatarUrl !== null)
    return <img class={look} src={new URL(avatarUrl).pathname} alt="" width={size} height={size} loading="lazy" />;
  return (
    <span class={`${look} tint-${id % tints}`} aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? '?'}
    </span>
  );
}
