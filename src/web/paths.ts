/** First segments that the gateway keeps for itself, as no group, project or person can have them. */
const reserved = new Set([
  '-', '.well-known', 'admin', 'api', 'apple-touch-icon.png', 'assets', 'dashboard', 'docs', 'explore', 'favicon.ico',
  'favicon.png', 'graphql', 'groups', 'health', 'help', 'import', 'jwt', 'login', 'oauth', 'profile', 'projects',
  'public', 'robots.txt', 'search', 'sitemap', 'snippets', 'unsubscribes', 'uploads', 'users', 'v2',
]);

const segmentPattern = /^(?!\d+$)[A-Za-z0-9_.][A-Za-z0-9_.-]{0,254}$/;
const endings = /(\.|\.git|\.atom)$/i;

/** The segments of a full path or a username as an address has it; null for what can't be one. */
export function nameSegments(path: string): readonly string[] | null {
  const segments = path.split('/').map(decode);
  const fits = segments.every((segment) => segment !== null && segmentPattern.test(segment) && !endings.test(segment));
  return fits && !reserved.has(segments[0]!.toLowerCase()) ? (segments as string[]) : null;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
