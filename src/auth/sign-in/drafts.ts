import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { InstanceKeys } from '../keys/instance-keys.ts';
import { seal, unseal } from '../keys/seal.ts';

/** Seconds for which a draft is kept while the person signs in. */
const lifetime = 1_800;
/** Maximum length of a draft and of its sealed form, in characters: browsers keep cookies of 4 kB. */
const longest = { text: 65_536, sealed: 3_800 } as const;

/** What a person typed into a form that they sent after their session had ended. */
export interface Draft {
  readonly userId: number;
  /** The path that the form is sent to. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

const draftKeys = (keys: InstanceKeys) => keys.derive('draft of a form');
const place = (browser: string) => `draft in browser ${browser}`;

/** Seals a draft for a cookie of this browser. @returns null if it is too long */
export function sealDraft(keys: InstanceKeys, browser: string, draft: Draft): string | null {
  const text = JSON.stringify({ ...draft, until: Math.floor(Date.now() / 1_000) + lifetime });
  if (text.length > longest.text) return null;
  const sealed = seal(draftKeys(keys)[0]!, place(browser), deflateRawSync(text).toString('base64')).toString(
    'base64url',
  );
  return sealed.length > longest.sealed ? null : sealed;
}

/** Opens a draft. @returns null if it belongs to another browser, is too old, or is no draft */
export function openDraft(keys: InstanceKeys, browser: string, sealed: string): Draft | null {
  const text = unseal(draftKeys(keys), place(browser), Buffer.from(sealed, 'base64url'));
  if (text === null) return null;
  const { until, ...draft } = JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString('utf8')) as Draft & {
    until: number;
  };
  return until > Date.now() / 1_000 ? draft : null;
}
