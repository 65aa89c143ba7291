import { describe, expect, test } from 'vitest';
import { deriveKey } from '../../src/auth/keys/crypto.ts';
import { reseal } from '../../src/cli/commands/keys.ts';
import { readConfig } from '../../src/config/index.ts';
import { RequestDatabase } from '../../src/database/index.ts';
import { withDatabase } from '../../src/maintenance.ts';
import { resealPipelineSecrets } from '../../src/schema/pipelines/variables/reseal.ts';
import { sealSecret } from '../../src/schema/pipelines/variables/sealing.ts';
import { variablesOfJob, type VariablesOf } from '../../src/schema/pipelines/variables/of-jobs.ts';
import { testGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { addMember, newUser } from '../support/places/people.ts';
import { newGroup, newProject } from '../support/places/places.ts';

const gateway = await testGateway();
const { rest, graphql, sql, tokens } = gateway;
const token = tokens.maintainer;

let made = 0;
const unique = (name: string) => `${name}-${++made}`;

/** A project in a group in a group; the maintainer owns all. */
async function newPlaces() {
  const root = unique('root');
  const rootId = await newGroup(gateway, { path: root, visibility: 'PRIVATE' });
  const group = await newGroup(gateway, { path: 'leaf', parent: root, visibility: 'PRIVATE' });
  const project = await newProject(gateway, { path: 'code', group: `${root}/leaf`, visibility: 'PRIVATE' });
  await addMember(gateway, { id: '2' }, 'OWNER', { group: root });
  return {
    id: Number(project),
    fullPath: `${root}/leaf/code`,
    project: `/api/v4/projects/${project}/variables`,
    group: `/api/v4/groups/${group}/variables`,
    root: `/api/v4/groups/${rootId}/variables`,
  };
}

const instance = '/api/v4/admin/ci/variables';
const post = (path: string, json: Record<string, unknown>, as = token) => rest('POST', path, { token: as, json });
const set = async (path: string, json: Record<string, unknown>, as = token) => {
  const { status, text } = await post(path, json, as);
  expect([status, text.slice(0, 200)]).toEqual([201, expect.anything()]);
};

const usual = {
  variable_type: 'env_var',
  key: 'KEY',
  value: 'a value',
  hidden: false,
  protected: false,
  masked: false,
  raw: false,
};

describe.each(['project', 'group'] as const)('a variable of a %s', (kind) => {
  test('is set, read, listed, changed and deleted', async () => {
    const { [kind]: path } = await newPlaces();
    const first = { ...usual, environment_scope: '*', description: null };
    const created = await post(path, { key: ' KEY ', value: 'a value' });
    expect([created.status, created.body]).toEqual([201, first]);
    const read = await rest('GET', `${path}/KEY`, { token });
    expect([read.status, read.body]).toEqual([200, first]);
    await set(path, { key: 'FILE', value: '', variable_type: 'file', protected: true, raw: true, description: 'Why' });
    const { body, headers } = await rest('GET', path, { token });
    expect(body).toEqual([
      { ...first, key: 'FILE', value: '', variable_type: 'file', protected: true, raw: true, description: 'Why' },
      first,
    ]);
    expect(headers.get('x-total')).toBe('2');
    const changed = await rest('PUT', `${path}/KEY`, {
      token,
      json: { value: 'another_value', masked: true, environment_scope: 'prod', description: 'Known' },
    });
    const second = { ...first, value: 'another_value', masked: true, environment_scope: 'prod', description: 'Known' };
    expect([changed.status, changed.body]).toEqual([200, second]);
    // What isn't sent stays; an empty description is none.
    const kept = await rest('PUT', `${path}/KEY`, { token, json: { description: '' } });
    expect(kept.body).toEqual({ ...second, description: null });
    // Blanks are a value.
    for (const value of [' \n\t', ''])
      expect((await rest('PUT', `${path}/FILE`, { token, json: { value } })).body.value).toBe(value);
    expect((await post(path, { key: 'BLANK', value: '  ' })).body).toMatchObject({ key: 'BLANK', value: '  ' });
    expect((await rest('DELETE', `${path}/KEY`, { token })).status).toBe(204);
    const gone = await rest('GET', `${path}/KEY`, { token });
    const subject = kind === 'project' ? 'Variable' : 'GroupVariable';
    expect([gone.status, gone.body]).toEqual([404, { message: `404 ${subject} Not Found` }]);
    expect((await rest('DELETE', `${path}/KEY`, { token })).status).toBe(404);
  });

  test('of several environments is named by the filter', async () => {
    const { [kind]: path } = await newPlaces();
    for (const environment_scope of ['*', 'prod', 'review/*']) await set(path, { ...usual, environment_scope });
    const taken = await post(path, { ...usual, environment_scope: 'prod' });
    expect([taken.status, taken.body]).toEqual([400, { message: { key: ['(KEY) has already been taken'] } }]);
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const { status, body } = await rest(method, `${path}/KEY`, { token });
      expect([method, status, body.message]).toEqual([
        method,
        409,
        "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'",
      ]);
    }
    const found = await rest('GET', `${path}/KEY?filter[environment_scope]=review/*`, { token });
    expect(found.body.environment_scope).toBe('review/*');
    const clash = await rest('PUT', `${path}/KEY?filter[environment_scope]=review/*`, {
      token,
      json: { environment_scope: 'prod' },
    });
    expect([clash.status, clash.body]).toEqual([400, { message: { key: ['(KEY) has already been taken'] } }]);
    const moved = await rest('PUT', `${path}/KEY`, {
      token,
      json: { environment_scope: 'dev', filter: { environment_scope: 'prod' } },
    });
    expect([moved.status, moved.body.environment_scope]).toEqual([200, 'dev']);
    expect((await rest('DELETE', `${path}/KEY?filter[environment_scope]=dev`, { token })).status).toBe(204);
    expect((await rest('GET', `${path}/KEY?filter[environment_scope]=dev`, { token })).status).toBe(404);
    expect((await rest('GET', path, { token })).body).toHaveLength(2);
  });

  test('that is hidden shows its value to nobody', async () => {
    const { [kind]: path } = await newPlaces();
    const hidden = { ...usual, value: null, hidden: true, masked: true, environment_scope: '*', description: null };
    const created = await post(path, { key: 'KEY', value: 'secret-1234', masked_and_hidden: true });
    expect([created.status, created.body]).toEqual([201, hidden]);
    for (const { text } of [created, await rest('GET', path, { token }), await rest('GET', `${path}/KEY`, { token })])
      expect(text).not.toContain('secret-1234');
    const shown = await rest('PUT', `${path}/KEY`, { token, json: { masked: false } });
    expect([shown.status, shown.body]).toEqual([
      400,
      { message: { base: ['The visibility setting cannot be changed for masked and hidden variables.'] } },
    ]);
    const renewed = await rest('PUT', `${path}/KEY`, { token, json: { value: 'secret-5678', masked: true } });
    expect([renewed.status, renewed.body]).toEqual([200, hidden]);
    // Nor does a refused change, or the audit.
    const refused = await rest('PUT', `${path}/KEY`, { token, json: { value: 'se cret-9' } });
    expect([refused.status, refused.text]).toEqual([400, '{"message":{"value":["is invalid"]}}']);
    const events = await sql<{ detail: string }>(`select * from audit_events where kind like 'ci_variable%'`);
    expect(JSON.stringify(events)).not.toMatch(/secret-/);
    expect(events.map(({ detail }) => detail).join()).toContain('KEY of ');
  });

  test.each<[string, Record<string, unknown>, unknown]>([
    ['no key', { value: 'x' }, { error: 'key is missing' }],
    ['no value', { key: 'KEY' }, { error: 'value is missing' }],
    [
      'an unknown type',
      { key: 'KEY', value: 'x', variable_type: 'other' },
      { error: 'variable_type does not have a valid value' },
    ],
    ['an unknown flag', { key: 'KEY', value: 'x', protected: 'perhaps' }, { error: 'protected is invalid' }],
    ['an empty key', { key: ' ', value: 'x' }, { message: { key: ["can't be blank"] } }],
    [
      'a key with other characters',
      { key: 'A-B', value: 'x' },
      { message: { key: ["can contain only letters, digits and '_'."] } },
    ],
    [
      'a long key',
      { key: 'A'.repeat(256), value: 'x' },
      { message: { key: ['is too long (maximum is 255 characters)'] } },
    ],
    ['a short masked value', { key: 'KEY', value: 'short', masked: true }, { message: { value: ['is invalid'] } }],
    [
      'a masked value with spaces',
      { key: 'KEY', value: 'two words', masked: true, raw: true },
      { message: { value: ['is invalid'] } },
    ],
    [
      'a masked value with quotes',
      { key: 'KEY', value: 'quote"s!!', masked: true },
      { message: { value: ['is invalid'] } },
    ],
    [
      'a long value',
      { key: 'KEY', value: 'x'.repeat(10_001) },
      { message: { value: ['The value of the provided variable exceeds the 10000 character limit'] } },
    ],
    [
      'an odd scope',
      { key: 'KEY', value: 'x', environment_scope: 'a;b' },
      {
        message: {
          environment_scope: ["can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces"],
        },
      },
    ],
    [
      'a long description',
      { key: 'KEY', value: 'x', description: 'x'.repeat(256) },
      { message: { description: ['is too long (maximum is 255 characters)'] } },
    ],
  ])('%s is refused', async (_what, json, answer) => {
    const { [kind]: path } = await newPlaces();
    const { status, body } = await post(path, json);
    expect([status, body]).toEqual([400, answer]);
    expect((await rest('GET', path, { token })).body).toEqual([]);
  });

  test('has limits', async () => {
    const { [kind]: path } = await newPlaces();
    const id = path.split('/')[4];
    await sql(
      `insert into ci_variables (${kind}_id, key, sealed) select $1::int, 'K' || n, '' from generate_series(1, 1000) n`,
      [id],
    );
    const { status, body } = await post(path, { key: 'ONE_MORE', value: 'x' });
    expect([status, body]).toEqual([
      400,
      { message: { base: [`Maximum number of ${kind} ci variables (1000) exceeded`] } },
    ]);
  });
});

test('variables of a project are for maintainers, those of a group for owners', async () => {
  const { project, group, id } = await newPlaces();
  const person = await newUser(gateway, unique('person'));
  const tries = async () => {
    const statuses: number[] = [];
    for (const path of [project, group])
      for (const [method, at, json] of [
        ['GET', path, undefined],
        ['GET', `${path}/NONE`, undefined],
        ['POST', path, {}],
        ['PUT', `${path}/NONE`, {}],
        ['DELETE', `${path}/NONE`, undefined],
      ] as const)
        statuses.push((await rest(method, at, { token: person.token, ...(json && { json }) })).status);
    return statuses;
  };
  expect(await tries()).toEqual(Array(10).fill(404));
  await addMember(gateway, person, 'DEVELOPER', { project: String(id) });
  expect((await tries()).slice(0, 5)).toEqual(Array(5).fill(403));
  await sql('update project_members set access_level = 40 where user_id = $1', [person.id]);
  await addMember(gateway, person, 'MAINTAINER', { group: group.split('/')[4]! });
  expect(await tries()).toEqual([200, 404, 400, 404, 404, 403, 403, 403, 403, 403]);
  expect((await rest('GET', project, {})).status).toBe(401);
  await sql('update projects set archived = true where id = $1', [id]);
  expect((await tries()).slice(0, 5)).toEqual([200, 404, 400, 403, 403]);
  expect((await post(project, { key: 'KEY', value: 'x' }, person.token)).status).toBe(403);
});

test('variables of the instance are for administrators', async () => {
  const { root } = tokens;
  const record = { ...usual, description: null };
  const created = await post(instance, { key: 'KEY', value: 'a value' }, root);
  expect([created.status, created.body]).toEqual([201, record]);
  expect((await rest('GET', instance, { token: root })).body).toEqual([record]);
  const changed = await rest('PUT', `${instance}/KEY`, { token: root, json: { protected: true } });
  expect([changed.status, changed.body]).toEqual([200, { ...record, protected: true }]);
  const again = await post(instance, { key: 'KEY', value: 'x' }, root);
  expect([again.status, again.body]).toEqual([400, { message: { key: ['(KEY) has already been taken'] } }]);
  for (const [method, path] of [
    ['GET', instance],
    ['GET', `${instance}/KEY`],
    ['POST', instance],
    ['PUT', `${instance}/KEY`],
    ['DELETE', `${instance}/KEY`],
  ] as const)
    expect((await rest(method, path, { token, ...(method === 'GET' ? {} : { json: {} }) })).status).toBe(403);
  expect((await rest('DELETE', `${instance}/KEY`, { token: root })).status).toBe(204);
  const gone = await rest('GET', `${instance}/KEY`, { token: root });
  expect([gone.status, gone.body]).toEqual([404, { message: '404 InstanceVariable Not Found' }]);
});

test('values are sealed in the database, bound to their row, and sealed again under a new key', async () => {
  const { project, group } = await newPlaces();
  await set(project, { key: 'KEY', value: 'in-the-project' });
  await set(group, { key: 'KEY', value: 'in-the-group' });
  const rows = await sql<{ sealed: Buffer }>('select sealed from ci_variables');
  expect(rows.map(({ sealed }) => sealed.toString('latin1')).join()).not.toMatch(/in-the/);
  const newKey = 'n'.repeat(40);
  const settings = (keys: string) =>
    readConfig({
      DATABASE_URL: gateway.databaseUrl,
      CAUSEWAY_SECRET_KEY: keys,
      CAUSEWAY_LOG_LEVEL: 'error',
      PORT: '0',
    });
  const count = (await sql('select id from ci_variables where length(sealed) > 0')).length;
  const { result } = await withDatabase(settings(`${newKey},${secretKey}`), reseal);
  expect(result).toMatchObject({ pipelineSecretsResealed: count });
  // This gateway has the old key alone.
  expect((await rest('GET', `${project}/KEY`, { token })).body.value).toBeNull();
  const back = await withDatabase(settings(`${secretKey},${newKey}`), reseal);
  expect(back.result).toMatchObject({ pipelineSecretsResealed: count });
  expect((await rest('GET', `${project}/KEY`, { token })).body.value).toBe('in-the-project');
  // A value that was copied from elsewhere isn't opened.
  await sql(
    `update ci_variables set sealed = (select sealed from ci_variables where group_id = $1) where project_id = $2`,
    [group.split('/')[4], project.split('/')[4]],
  );
  expect((await rest('GET', `${project}/KEY`, { token })).body.value).toBeNull();
});

test('every sealed value of the database is sealed again, or ends soon by itself', async () => {
  const columns = await sql<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea' and column_name like '%sealed%' order by 1`,
  );
  const ending = ['refresh_tokens.sealed', 'sent_forms.sealed'];
  // Each has a test of its own; the values of variables above.
  const elsewhere = ['second_factors.sealed_seed', 'ssh_host_keys.sealed', 'ci_variables.sealed'];
  const ofPipelines = columns.map(({ name }) => name).filter((name) => ![...ending, ...elsewhere].includes(name));

  const { id } = await newPlaces();
  const old = { derive: (label: string) => [deriveKey(secretKey, label)] };
  const [{ pipeline }] = (await sql(
    `insert into pipelines (project_id, iid, ref, sha, status, source) values ($1, 1, 'main', repeat('a', 40), 'created', 'push') returning id as pipeline`,
    [id],
  )) as [{ pipeline: number }];
  const [{ job }] = (await sql(
    `insert into ci_jobs (kind, project_id, pipeline_id, name, stage, stage_index, ref, sha)
     values ('build', $1, $2, 'job', 'test', 0, 'main', repeat('a', 40)) returning id as job`,
    [id, pipeline],
  )) as [{ job: number }];
  const sealedFor = (row: string) => sealSecret(old, row, 'secret');
  await sql(`insert into ci_pipeline_variables (pipeline_id, key, sealed) values ($1, 'A', $2)`, [
    pipeline,
    sealedFor(`ci_pipeline_variable:${pipeline}:A`),
  ]);
  for (const [table, of] of [
    ['ci_job_variables', 'ci_job_variable'],
    ['ci_reported_variables', 'ci_reported_variable'],
  ])
    await sql(`insert into ${table} (job_id, key, sealed) values ($1, 'A', $2), ($1, 'B', $3)`, [
      job,
      sealedFor(`${of}:${job}:A`),
      sealedFor(`${of}:${job}:B`),
    ]);
  await sql(`insert into ci_traces (job_id, location, sealed_masks) values ($1, 'nowhere', $2)`, [
    job,
    sealedFor(`ci_trace:${job}`),
  ]);
  const values = async (name: string) => {
    const [table, column] = name.split('.') as [string, string];
    const rows = await sql<{ value: string }>(
      `select encode(${column}, 'hex') as value from ${table} where ${column} is not null`,
    );
    return rows.map(({ value }) => value);
  };
  const before = new Map<string, readonly string[]>();
  for (const name of ofPipelines) before.set(name, await values(name));
  const other = 'o'.repeat(40);
  const keys = (...all: string[]) => ({ derive: (label: string) => all.map((key) => deriveKey(key, label)) });
  const { database } = gateway.gateway.application;
  await resealPipelineSecrets(database, keys(other, secretKey));
  for (const [name, sealed] of before) {
    if (/ci_(pipeline|job|reported)_variables|ci_traces/.test(name)) expect(sealed.length, name).toBeGreaterThan(0);
    const now = await values(name);
    expect(
      sealed.filter((value) => now.includes(value)),
      name,
    ).toEqual([]);
  }
  await resealPipelineSecrets(database, keys(secretKey, other));
});

describe('a job gets', () => {
  const keys = { derive: (label: string) => [deriveKey(secretKey, label)] };
  const variables = async (of: VariablesOf) => {
    const ledger = { statements: 0, milliseconds: 0 };
    const database = new RequestDatabase(gateway.gateway.application.database, ledger);
    const found = await variablesOfJob({ database, keys }, of);
    expect(ledger.statements).toBe(1);
    return found;
  };
  const values = async (of: VariablesOf) => (await variables(of)).map(({ key, value }) => `${key}=${value}`);

  test('variables of the instance, of groups from the root on, and of the project', async () => {
    const { id, project, group, root } = await newPlaces();
    await set(instance, { key: 'A', value: 'instance' }, tokens.root);
    await set(group, { key: 'A', value: 'leaf' });
    await set(root, { key: 'A', value: 'root' });
    await set(project, { key: 'A', value: 'project', masked: false, raw: true, variable_type: 'file' });
    const other = await newPlaces();
    await set(other.project, { key: 'OTHER', value: 'x' });
    await set(other.group, { key: 'OTHER', value: 'x' });
    const found = await variables({ projectId: id, isProtected: false, environment: null });
    expect(found.map(({ value }) => value)).toEqual(['instance', 'root', 'leaf', 'project']);
    expect(found.at(-1)).toEqual({ key: 'A', value: 'project', masked: false, raw: true, variableType: 'file' });
    await rest('DELETE', `${instance}/A`, { token: tokens.root });
  });

  test('protected ones only on protected branches and tags', async () => {
    const { id, project, root } = await newPlaces();
    await set(project, { key: 'A', value: 'open' });
    await set(project, { key: 'B', value: 'guarded', protected: true });
    await set(root, { key: 'C', value: 'guarded', protected: true });
    expect(await values({ projectId: id, isProtected: false, environment: null })).toEqual(['A=open']);
    expect(await values({ projectId: id, isProtected: true, environment: null })).toEqual([
      'C=guarded',
      'A=open',
      'B=guarded',
    ]);
  });

  test('those whose scope names its environment, the most exact of a name', async () => {
    const { id, project, group } = await newPlaces();
    const scopes = ['*', 'review/*', 'review/feature-*', 'review/feature-1', 'prod', 'review/x.y', 'rev_ew/feature-2'];
    for (const scope of scopes) await set(project, { key: 'A', value: scope, environment_scope: scope });
    await set(group, { key: 'A', value: 'leaf', environment_scope: 'review/feature-1' });
    const of = (environment: string | null) => values({ projectId: id, isProtected: false, environment });
    expect(await of(null)).toEqual(['A=*']);
    expect(await of('staging')).toEqual(['A=*']);
    expect(await of('prod')).toEqual(['A=prod']);
    expect(await of('review/feature-1')).toEqual(['A=leaf', 'A=review/feature-1']);
    expect(await of('review/feature-2')).toEqual(['A=review/feature-*']);
    expect(await of('review/other')).toEqual(['A=review/*']);
    expect(await of('review/xay')).toEqual(['A=review/*']);
  });
});

describe('GraphQL', () => {
  test('has GitLab’s names', async () => {
    const { fullPath, project } = await newPlaces();
    await set(project, { key: 'A', value: 'shown' });
    await set(project, { key: 'B', value: 'unseen-at-all', masked_and_hidden: true });
    const source = `query ($path: ID!) { project(fullPath: $path) { ciVariables(sort: KEY_DESC) {
      nodes { id key value variableType raw masked hidden protected environmentScope description }
    } } }`;
    const asked = await graphql<any>(source, { token, variables: { path: fullPath } });
    expect(asked.errors).toBeUndefined();
    expect(asked.data!.project.ciVariables.nodes).toMatchObject([
      { id: expect.stringMatching(/^gid:\/\/gitlab\/Ci::Variable\/\d+$/), key: 'B', value: null, hidden: true },
      { key: 'A', value: 'shown', variableType: 'ENV_VAR', environmentScope: '*' },
    ]);
    const { token: other, id } = await newUser(gateway, unique('reader'));
    await addMember(gateway, { id }, 'DEVELOPER', { project: fullPath });
    const theirs = await graphql<any>(source, { token: other, variables: { path: fullPath } });
    expect(theirs.data).toEqual({ project: { ciVariables: null } });
    // A token that reads people reaches a project by other ways, but not its variables.
    const people = await gateway.personalToken('maintainer', ['read_user']);
    const around = await graphql<any>(
      '{ currentUser { groupMemberships { nodes { group { ciVariables { nodes { value } } } } } } }',
      { token: people },
    );
    expect(around.errors?.[0]?.extensions?.code).toBe('INSUFFICIENT_SCOPE');
  });

  test('says in a payload what is wrong', async () => {
    const { fullPath } = await newPlaces();
    const { data } = await graphql<any>(
      `
        mutation ($input: ProjectVariableCreateInput!) {
          projectVariableCreate(input: $input) {
            variable {
              key
            }
            errors
          }
        }
      `,
      { token, variables: { input: { projectPath: fullPath, key: 'A', value: 'x', masked: true } } },
    );
    expect(data!.projectVariableCreate).toEqual({ variable: null, errors: ['Value is invalid'] });
  });
});
