import type { TestGateway } from '../../support/gateway.ts';
import type { Target } from './target.ts';

/** An instance that answers. */
export type Side = Pick<TestGateway, 'rest' | 'url'>;

/** What people did at an instance stays there, and so do secrets; whether git can merge is looked at again. */
const left = new Set([
  'merge_status',
  'detailed_merge_status',
  'should_remove_source_branch',
  'last_activity_on',
  'last_sign_in_at',
  'current_sign_in_at',
  'sign_in_count',
  'runners_token',
]);

/** What both instances answer to a GET, as administrators, without their addresses. */
export async function both(origin: Side, token: string, target: Side & Pick<Target, 'token'>, path: string) {
  const [there, here] = await Promise.all([
    origin.rest('GET', `/api/v4${path}`, { token }),
    target.rest('GET', `/api/v4${path}`, { token: target.token }),
  ]);
  // Addresses, keys and emoji get ids of their own.
  const isLeft = (name: string) =>
    left.has(name) ||
    (name === 'id' && /\/(emails|keys|award_emoji)$/.test(path)) ||
    (name === 'created_by' && /\/members(?:\/all)?$/.test(path));
  const plain = (text: string, url: string) =>
    JSON.parse(text.replaceAll(url, 'instance'), (name, value: unknown) =>
      isLeft(name) ? undefined : value,
    ) as unknown;
  return { there: plain(there.text, origin.url), here: plain(here.text, target.url) };
}
