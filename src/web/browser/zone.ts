/**
 * Says in which time zone the browser is: from then on the gateway writes times in it, for people who chose none. Other
 * scripts import this, that of the sign-in page among them, so that pages without a script have such times too.
 */

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
const isHttps = location.protocol === 'https:';
// The name is that of `site/session.ts`.
document.cookie = `${isHttps ? '__Host-' : ''}causeway_zone=${timeZone}; Path=/; Max-Age=${400 * 86_400}; SameSite=Lax${isHttps ? '; Secure' : ''}`;
