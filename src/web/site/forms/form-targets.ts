/**
 * CSP sources for a form whose answer redirects to an application: https, and the
 * scheme of the redirect URI, which may be http on the person's own machine or a
 * custom scheme of an application there. A URN isn't a redirect target.
 */
export function formTargets(redirectUri: string): string[] {
  const scheme = /^(?!urn:)[a-z][a-z0-9+.-]*:/i.exec(redirectUri)?.[0].toLowerCase();
  return [...new Set(['https:', ...(scheme ? [scheme] : [])])];
}
