/**
 * Where a form may lead whose answer goes to an application: anywhere over https,
 * and to the scheme of the redirect URI, which may be http on the person's own
 * machine or one that an application there has claimed. A URN leads nowhere.
 */
export function formTargets(redirectUri: string): string[] {
  const scheme = /^(?!urn:)[a-z][a-z0-9+.-]*:/i.exec(redirectUri)?.[0].toLowerCase();
  return [...new Set(['https:', ...(scheme ? [scheme] : [])])];
}
