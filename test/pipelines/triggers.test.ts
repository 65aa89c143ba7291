import { describe, expect, test } from 'vitest';
import { digest } from '../../src/auth/keys/crypto.ts';
import { testGateway } from '../support/gateway.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { newCode } from '../repository/support/code.ts';

const gateway = await testGateway();
const { rest, graphql, sql, tokens } = gateway;
const token = tokens.maintainer;
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const newTrigger = async (path: string, json: Record<string, unknown> = {}, as = token) => {
  const { status, body } = await rest('POST', `${path}/triggers`, {
    token: as,
    json: { description: 'mine', ...json },
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body as { id: number; token: string };
};

describe('a trigger', () => {
  test('is made, read, listed, changed and deleted', async () => {
    const { path } = await newCode(gateway);
    const { status, body } = await rest('POST', `${path}/triggers`, { token, json: { description: 'my trigger' } });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        token: expect.stringMatching(/^glptt-[0-9a-f]{40}$/),
        description: 'my trigger',
        created_at: moment,
        updated_at: moment,
        last_used: null,
        expires_at: null,
        owner: expect.objectContaining({ id: 2, username: 'maintainer', state: 'active' }),
      },
    ]);
    const one = `${path}/triggers/${body.id}`;
    expect((await rest('GET', one, { token })).body).toEqual(body);
    await newTrigger(path, { description: '', expires_at: '2999-01-01T00:00:00Z' });
    const list = await rest('GET', `${path}/triggers`, { token });
    expect([list.body[0], list.headers.get('x-total')]).toEqual([body, '2']);
    expect(list.body[1]).toMatchObject({ description: '', expires_at: '2999-01-01T00:00:00.000Z' });
    const changed = await rest('PUT', one, { token, json: { description: 'renamed' } });
    expect([changed.status, changed.body.description, changed.body.token]).toEqual([200, 'renamed', body.token]);
    const late = { headers: { 'if-unmodified-since': 'Fri, 01 Jan 2010 00:00:00 GMT' } };
    expect((await rest('DELETE', one, { token, ...late })).status).toBe(412);
    expect((await rest('DELETE', one, { token })).status).toBe(204);
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const gone = await rest(method, one, { token });
      expect([gone.status, gone.body]).toEqual([404, { message: '404 Not found' }]);
    }
  });

  test('is stored by its digest, and sealed', async () => {
    const { path } = await newCode(gateway);
    const { id, token: secret } = await newTrigger(path);
    const [row] = await sql<{ digest: Buffer; sealed: Buffer; start: string }>(
      'select * from ci_triggers where id = $1',
      [id],
    );
    expect(row!.digest.equals(digest(secret))).toBe(true);
    expect(row!.start).toBe('glpt');
    expect(JSON.stringify(row)).not.toContain(secret.slice(6));
    expect(row!.sealed.toString('latin1')).not.toContain(secret.slice(6));
  });

  test('shows its whole token to its owner alone, who alone changes it', async () => {
    const { path, id } = await newCode(gateway);
    const made = await newTrigger(path);
    const other = await newUser(gateway, `other-${made.id}`);
    await addMember(gateway, other, 'MAINTAINER', { project: String(id) });
    for (const as of [other.token, tokens.root]) {
      const { body, text } = await rest('GET', `${path}/triggers`, { token: as });
      expect(body[0].token).toBe('glpt');
      expect(text).not.toContain(made.token);
    }
    const refused = await rest('PUT', `${path}/triggers/${made.id}`, {
      token: other.token,
      json: { description: 'x' },
    });
    expect([refused.status, refused.body]).toEqual([403, { message: '403 Forbidden' }]);
    expect((await rest('DELETE', `${path}/triggers/${made.id}`, { token: other.token })).status).toBe(204);
  });

  test.each<[string, Record<string, unknown>, unknown]>([
    ['no description', {}, { error: 'description is missing' }],
    ['a bad date', { description: 'x', expires_at: 'soon' }, { error: 'expires_at is invalid' }],
    [
      'a date in the past',
      { description: 'x', expires_at: '2010-01-01' },
      { message: '400 Bad request - Expires at must be in the future' },
    ],
  ])('with %s is refused', async (_what, json, answer) => {
    const { path } = await newCode(gateway);
    const { status, body } = await rest('POST', `${path}/triggers`, { token, json });
    expect([status, body]).toMatchObject([400, answer as object]);
    expect((await rest('GET', `${path}/triggers`, { token })).body).toEqual([]);
  });

  test('is for maintainers', async () => {
    const { path } = await newCode(gateway);
    const { id } = await newTrigger(path);
    const requests = [
      ['GET', `${path}/triggers`],
      ['GET', `${path}/triggers/${id}`],
      ['POST', `${path}/triggers`],
      ['PUT', `${path}/triggers/${id}`],
      ['DELETE', `${path}/triggers/${id}`],
    ] as const;
    for (const [method, at] of requests) {
      const { status, body } = await rest(method, at, { token: tokens.developer });
      expect([method, status, body]).toEqual([method, 403, { message: '403 Forbidden' }]);
      expect((await rest(method, at, {})).status).toBe(401);
    }
    // The token in place of the id, as in version 3.
    const former = await rest('DELETE', `${path}/triggers/glptt-1234`, { token });
    expect([former.status, former.body.error]).toEqual([400, 'trigger_id is invalid']);
    expect((await rest('POST', `${path}/triggers/${id}/take_ownership`, { token })).status).toBe(404);
  });

  test('has GitLab’s names in GraphQL', async () => {
    const { fullPath } = await newCode(gateway);
    const fields = 'id description token hasTokenExposed owner { username } lastUsed expiresAt';
    const run = async (name: string, input: Record<string, unknown>, selection: string) => {
      const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
      const { data, errors } = await graphql<any>(
        `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} errors } }`,
        { token, variables: { input } },
      );
      expect(errors).toBeUndefined();
      return data[name];
    };
    const created = await run(
      'pipelineTriggerCreate',
      { projectPath: fullPath, description: 'by GraphQL' },
      `pipelineTrigger { ${fields} }`,
    );
    expect(created).toMatchObject({
      errors: [],
      pipelineTrigger: { description: 'by GraphQL', hasTokenExposed: true, owner: { username: 'maintainer' } },
    });
    const { id } = created.pipelineTrigger;
    const source = `{ project(fullPath: "${fullPath}") { pipelineTriggers { nodes { ${fields} } } } }`;
    const listed = await graphql<any>(source, { token });
    expect(listed.data!.project.pipelineTriggers.nodes).toEqual([created.pipelineTrigger]);
    expect((await graphql<any>(source, { token: tokens.developer })).data!.project.pipelineTriggers).toBeNull();
    const updated = await run('pipelineTriggerUpdate', { id, description: 'new' }, 'pipelineTrigger { description }');
    expect(updated.pipelineTrigger.description).toBe('new');
    expect((await run('pipelineTriggerDelete', { id }, 'clientMutationId')).errors).toEqual([]);
    expect((await graphql<any>(source, { token })).data!.project.pipelineTriggers.nodes).toEqual([]);
  });
});
