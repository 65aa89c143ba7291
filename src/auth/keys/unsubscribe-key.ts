import { equalDigests, keyedDigest } from './crypto.ts';
import type { InstanceKeys } from './instance-keys.ts';
import { largestInteger } from '../../values/integers.ts';

/** What a message can be about that has such a key, with the letter that stands for it. */
const letters = { Commit: 'c', Epic: 'e', Issue: 'i', MergeRequest: 'm', Snippet: 's' } as const;

/** Whose messages about what: an unsubscribe key is for these, for as long as the instance key is in use. */
export interface Unsubscribing {
  readonly userId: number;
  readonly subjectKind: keyof typeof letters;
  readonly subjectId: number;
}

/** Bytes of the MAC: too many to guess. */
const macLength = 16;
const label = 'unsubscribe';
const form = /^([ceims])_(\d{1,10})-(\d{1,10})-([\w-]{22})$/;

/**
 * The key of the unsubscribe link in messages to a person about something. It names both and proves, by a MAC, that this
 * instance made it, so nothing needs to be stored; its holder can unsubscribe this person from this and do nothing else.
 * It consists of `A-Z a-z 0-9 - _`.
 */
export function unsubscribeKey(keys: InstanceKeys, { userId, subjectKind, subjectId }: Unsubscribing): string {
  const named = `${letters[subjectKind]}_${subjectId}-${userId}`;
  return `${named}-${macOf(keys.derive(label)[0]!, named).toString('base64url')}`;
}

/** What a key is for; null if this instance didn't make it. */
export function readUnsubscribeKey(keys: InstanceKeys, text: string): Unsubscribing | null {
  const [, letter, subject, user, mac] = form.exec(text) ?? [];
  const subjectKind = (Object.keys(letters) as (keyof typeof letters)[]).find((kind) => letters[kind] === letter);
  const [subjectId, userId] = [Number(subject), Number(user)];
  if (!subjectKind || subjectId > largestInteger || userId > largestInteger) return null;
  const given = Buffer.from(mac!, 'base64url');
  const fits = keys.derive(label).some((key) => equalDigests(macOf(key, `${letter}_${subject}-${user}`), given));
  return fits ? { userId, subjectKind, subjectId } : null;
}

const macOf = (key: Buffer, named: string): Buffer => keyedDigest(key, named).subarray(0, macLength);
