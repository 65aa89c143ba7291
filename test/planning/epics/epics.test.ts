import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../../support/gateway.ts';
import { makeShop, type Shop } from '../../support/places/shop.ts';

/** Epics of groups, for people on the higher tier. */

let gateway: TestGateway;
let tokens: Shop['tokens'];
let api: Shop['api'];
let make: Shop['make'];
beforeAll(async () => {
  ({ gateway, tokens, api, make } = await makeShop());
  await gateway.sql(
    "update users set tier = 'PREMIUM' where username in ('the-reporter', 'the-guest', 'the-stranger')",
  );
});

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const create = (json: object, token = tokens.reporter) => api('POST', 'groups/shop/epics', token, { json });

describe('an epic', () => {
  test('is created and answered whole, and numbered in its group', async () => {
    const { status, body } = await create({ title: ' Harbour ', description: 'For @the-guest' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      iid: 1,
      group_id: expect.any(Number),
      title: 'Harbour',
      description: 'For @the-guest',
      state: 'opened',
      author: expect.objectContaining({ username: 'the-reporter' }),
      created_at: moment,
      updated_at: moment,
      web_url: `${gateway.url}/groups/shop/-/epics/1`,
    });
    expect((await create({ title: 'Lighthouse' })).body.iid).toBe(2);
    expect((await api('GET', 'groups/shop/epics/1', tokens.reporter)).body).toEqual(body);
    const list = await api('GET', 'groups/shop/epics', tokens.reporter, { query: { order_by: 'title', sort: 'asc' } });
    expect((list.body as { iid: number }[]).map(({ iid }) => iid)).toEqual([1, 2]);
    const found = await api('GET', 'groups/shop/epics', tokens.reporter, { query: { search: 'light' } });
    expect((found.body as { iid: number }[]).map(({ iid }) => iid)).toEqual([2]);
  });

  test('is a field of its group over GraphQL', async () => {
    const query =
      '{ group(fullPath: "shop") { epics(iids: [1]) { count nodes { title author { username } group { fullPath } } } } }';
    const { data } = await gateway.graphql<any>(query, { token: tokens.reporter });
    expect(data.group.epics).toEqual({
      count: 1,
      nodes: [{ title: 'Harbour', author: { username: 'the-reporter' }, group: { fullPath: 'shop' } }],
    });
    const unseen = await gateway.graphql<any>(query, { token: tokens.developer });
    expect(unseen.data.group.epics.nodes).toEqual([]);
  });

  test.each([
    ['on the lower tier', 'developer', 403],
    ['as a guest', 'guest', 403],
    ['outside of the group', 'stranger', 404],
  ] as const)('is nothing for people %s', async (_who, who, status) => {
    const token = tokens[who];
    expect((await create({ title: 'No' }, token)).status).toBe(status);
    expect((await api('GET', 'groups/shop/epics', token)).status).toBe(status);
    expect((await api('GET', 'groups/shop/epics/1', token)).status).toBe(status);
  });

  test.each([
    [{}, 400, { error: 'title is missing' }],
    [{ title: ' ' }, 400, { message: { title: ["can't be blank"] } }],
    [{ title: 'x'.repeat(256) }, 400, { message: { title: ['is too long (maximum is 255 characters)'] } }],
  ])('is refused with a reason: %o', async (json, status, body) => {
    expect(await create(json)).toMatchObject({ status, body });
    expect((await api('GET', 'groups/shop/epics/3', tokens.reporter)).body).toEqual({ message: '404 Epic Not Found' });
  });

  test('is subscribed to by its author, and by those who read it as they like', async () => {
    const found = '{ group(fullPath: "shop") { epics(iids: [1]) { nodes { subscribed } } } }';
    const subscribed = async (token: string) =>
      (await gateway.graphql<any>(found, { token })).data.group.epics.nodes[0].subscribed;
    const set = (token: string, subscribedState: boolean, iid = '1') =>
      gateway.graphql<any>(
        'mutation ($input: EpicSetSubscriptionInput!) { epicSetSubscription(input: $input) { epic { iid subscribed } errors } }',
        { token, variables: { input: { groupPath: 'shop', iid, subscribedState } } },
      );
    const reader = await make.user('the-reader', { tier: 'PREMIUM' });
    await make.member('the-reader', 'REPORTER', { group: 'shop' });
    expect([await subscribed(tokens.reporter), await subscribed(reader)]).toEqual([true, false]);
    for (const subscribedState of [true, true, false, false]) {
      const { data } = await set(reader, subscribedState);
      expect(data.epicSetSubscription).toEqual({ epic: { iid: '1', subscribed: subscribedState }, errors: [] });
      expect([await subscribed(tokens.reporter), await subscribed(reader)]).toEqual([true, subscribedState]);
    }
    for (const [answer, code] of [
      [await set(tokens.guest, true), 'FORBIDDEN'],
      [await set(tokens.stranger, true), 'NOT_FOUND'],
      [await set(reader, true, '99'), 'NOT_FOUND'],
      [await set(reader, true, 'x'), 'NOT_FOUND'],
    ] as const)
      expect(answer.errors![0]!.extensions).toMatchObject({ code });
  });

  test('goes to the ghost when its author is removed', async () => {
    const people = (await api('GET', 'users', tokens.root, { query: { username: 'the-reporter' } })).body as {
      id: number;
    }[];
    expect((await api('DELETE', `users/${people[0]!.id}`, tokens.root)).status).toBe(204);
    await gateway.sql("update users set tier = 'PREMIUM' where username = 'the-owner'");
    await expect
      .poll(async () => (await api('GET', 'groups/shop/epics/1', tokens.owner)).body.author?.username, {
        timeout: 10_000,
      })
      .toBe('ghost');
  });
});
