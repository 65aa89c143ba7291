import bowser from 'bowser';
import { legible } from '../words.ts';

/** A readable name for a `User-Agent` header: `Firefox 128 on Linux`. */
export function deviceName(userAgent: string): string {
  if (userAgent.trim() === '') return 'Unknown';
  const { browser, os } = bowser.parse(userAgent);
  if (!browser.name) return legible(userAgent, 60);
  const version = /^\d+/.exec(browser.version ?? '')?.[0];
  return [browser.name, version, os.name && `on ${os.name}`].filter(Boolean).join(' ');
}
