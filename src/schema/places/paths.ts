/** Paths at the root that the gateway itself uses, or that clients expect it to. */
const reserved = new Set([
  '-', '.well-known', 'admin', 'api', 'apple-touch-icon.png', 'assets', 'dashboard', 'docs', 'explore', 'favicon.ico',
  'favicon.png', 'graphql', 'groups', 'health', 'help', 'import', 'jwt', 'login', 'oauth', 'profile', 'projects',
  'public', 'robots.txt', 'search', 'sitemap', 'snippets', 'unsubscribes', 'uploads', 'users', 'v2',
]);

/** Why a path can't be taken, in the words of the wire; nothing where it can. */
export function pathProblems(path: string, atRoot: boolean): string[] {
  if (path === '') return ["can't be blank"];
  if (path.length > 255) return ['is too long (maximum is 255 characters)'];
  if (!/^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(path) || /(\.|\.git|\.atom)$/i.test(path)) {
    return ["can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'"];
  }
  // A number would be taken for an id.
  if (/^\d+$/.test(path)) return ['can’t consist of digits only'];
  return (atRoot && reserved.has(path.toLowerCase())) || path === '-' ? ['is a reserved name'] : [];
}
