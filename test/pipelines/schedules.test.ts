import { describe, expect, test } from 'vitest';
import { leastInterval, nextRun } from '../../src/schema/pipelines/schedules/clock.ts';
import { newCode } from '../repository/support/code.ts';
import { testGateway } from '../support/gateway.ts';
import { addMember, newUser } from '../support/places/people.ts';

const gateway = await testGateway();
const { rest, graphql, sql, tokens } = gateway;
const token = tokens.maintainer;
const { developer } = tokens;
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const nightly = { description: 'Nightly', ref: 'main', cron: '0 3 * * *' };

async function newSchedule(as = developer, json: Record<string, unknown> = {}) {
  const code = await newCode(gateway);
  await code.commit({ 'a.txt': 'a' });
  const made = await rest('POST', `${code.path}/pipeline_schedules`, { token: as, json: { ...nightly, ...json } });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return {
    ...code,
    list: `${code.path}/pipeline_schedules`,
    one: `${code.path}/pipeline_schedules/${made.body.id}`,
    made,
  };
}

describe('a schedule', () => {
  test('is made, read, listed, changed and deleted', async () => {
    const { list, one, made } = await newSchedule();
    const record = {
      id: expect.any(Number),
      description: 'Nightly',
      ref: 'main',
      cron: '0 3 * * *',
      cron_timezone: 'UTC',
      next_run_at: expect.stringMatching(/T03:00:00\.000Z$/),
      active: true,
      created_at: moment,
      updated_at: moment,
      owner: expect.objectContaining({ username: 'developer' }),
    };
    const details = { ...record, last_pipeline: null, variables: [] };
    expect(made.body).toEqual(details);
    expect((await rest('GET', one, { token: developer })).body).toEqual(details);
    const listed = await rest('GET', list, { token });
    expect([listed.body, listed.headers.get('x-total')]).toEqual([[record], '1']);
    const changed = await rest('PUT', one, {
      token: developer,
      json: { cron: '30 4 * * 1', cron_timezone: 'Asia/Tokyo', active: false, description: 'Weekly' },
    });
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...details,
        description: 'Weekly',
        cron: '30 4 * * 1',
        cron_timezone: 'Asia/Tokyo',
        active: false,
        // 4:30 on a Monday in Tokyo is 19:30 on Sunday in UTC.
        next_run_at: expect.stringMatching(/T19:30:00\.000Z$/),
      },
    ]);
    expect(new Date(changed.body.next_run_at as string).getUTCDay()).toBe(0);
    expect((await rest('GET', `${list}?scope=active`, { token })).body).toEqual([]);
    expect((await rest('GET', `${list}?scope=inactive`, { token })).body).toHaveLength(1);
    const late = { headers: { 'if-unmodified-since': 'Fri, 01 Jan 2010 00:00:00 GMT' } };
    expect((await rest('DELETE', one, { token: developer, ...late })).status).toBe(412);
    expect((await rest('DELETE', one, { token: developer })).status).toBe(204);
    const gone = await rest('GET', one, { token });
    expect([gone.status, gone.body]).toEqual([404, { message: '404 Pipeline Schedule Not Found' }]);
    expect((await rest('GET', `${one}/pipelines`, { token })).status).toBe(404);
  });

  test.each<[string, Record<string, unknown>, unknown]>([
    [
      'nothing',
      { description: undefined, ref: undefined, cron: undefined },
      { error: 'description is missing, ref is missing, cron is missing' },
    ],
    ['an empty description', { description: '' }, { message: { description: ["can't be blank"] } }],
    ['an empty ref', { ref: ' ' }, { message: { ref: ["can't be blank"] } }],
    ['a wrong expression', { cron: '61 * * * *' }, { message: { cron: ['is invalid syntax'] } }],
    ['seconds', { cron: '0 0 3 * * *' }, { message: { cron: ['is invalid syntax'] } }],
    ['a single moment', { cron: '2030-01-01T00:00:00' }, { message: { cron: ['is invalid syntax'] } }],
    ['a day that never comes', { cron: '0 0 30 2 *' }, { message: { cron: ['never comes'] } }],
    ['a long expression', { cron: `${'1,'.repeat(150)}1 * * * *` }, { message: { cron: ['is invalid syntax'] } }],
    ['an unknown zone', { cron_timezone: 'Mars/Olympus' }, { message: { cron_timezone: ['is invalid syntax'] } }],
    ['an unknown flag', { active: 'perhaps' }, { error: 'active is invalid' }],
  ])('with %s is refused', async (_what, json, answer) => {
    const { path } = await newCode(gateway);
    const { status, body } = await rest('POST', `${path}/pipeline_schedules`, {
      token: developer,
      json: { ...nightly, ...json },
    });
    expect([status, body]).toEqual([400, answer]);
    expect((await rest('GET', `${path}/pipeline_schedules`, { token })).body).toEqual([]);
  });

  test('is changed by its owner alone, and deleted by maintainers too, who can make it theirs', async () => {
    const { id, list, one } = await newSchedule();
    const other = await newUser(gateway, `scheduler-${id}`);
    expect((await rest('GET', one, { token: other.token })).status).toBe(404);
    await addMember(gateway, other, 'REPORTER', { project: String(id) });
    const change = (as: string) => rest('PUT', one, { token: as, json: { ref: 'other' } });
    const take = (as: string) => rest('POST', `${one}/take_ownership`, { token: as });
    expect((await rest('GET', one, { token: other.token })).body).not.toHaveProperty('variables');
    expect((await rest('POST', list, { token: other.token, json: nightly })).status).toBe(403);
    await sql('update project_members set access_level = 30 where user_id = $1', [other.id]);
    for (const refused of [await change(other.token), await take(other.token), await rest('DELETE', one, other)])
      expect([refused.status, refused.body]).toEqual([403, { message: '403 Forbidden' }]);
    // A maintainer who could say what runs would run it with the rights of its owner.
    expect((await change(token)).status).toBe(403);
    expect((await rest('POST', `${one}/variables`, { token, json: { key: 'A', value: 'x' } })).status).toBe(403);
    expect((await rest('GET', one, { token })).body).toHaveProperty('variables');
    const taken = await take(token);
    expect([taken.status, taken.body.owner.username]).toEqual([201, 'maintainer']);
    expect((await change(token)).status).toBe(200);
    expect((await change(developer)).status).toBe(403);
    // Who is no developer any more doesn't change what is theirs.
    await sql('update pipeline_schedules set owner_id = $1', [other.id]);
    await sql('update project_members set access_level = 20 where user_id = $1', [other.id]);
    expect((await change(other.token)).status).toBe(403);
    expect((await rest('DELETE', one, { token })).status).toBe(204);
  });

  test('has variables, sealed in the database', async () => {
    const { one } = await newSchedule();
    const as = { token: developer };
    const variable = { variable_type: 'env_var', key: 'A', value: 'in the schedule', raw: false };
    const made = await rest('POST', `${one}/variables`, { ...as, json: { key: 'A', value: 'in the schedule' } });
    expect([made.status, made.body]).toEqual([201, variable]);
    const [{ sealed }] = (await sql<{ sealed: Buffer }>(
      'select sealed from pipeline_schedule_variables order by id desc limit 1',
    )) as [{ sealed: Buffer }];
    expect(sealed.toString('latin1')).not.toContain('schedule');
    const again = await rest('POST', `${one}/variables`, { ...as, json: { key: 'A', value: 'x' } });
    expect([again.status, again.body]).toEqual([400, { message: { key: ['has already been taken'] } }]);
    const changed = await rest('PUT', `${one}/variables/A`, { ...as, json: { value: 'new', variable_type: 'file' } });
    expect([changed.status, changed.body]).toEqual([200, { ...variable, value: 'new', variable_type: 'file' }]);
    expect((await rest('GET', one, as)).body.variables).toEqual([changed.body]);
    for (const value of ['', '  ']) {
      expect((await rest('PUT', `${one}/variables/A`, { ...as, json: { value } })).body.value).toBe(value);
      const blank = await rest('POST', `${one}/variables`, { ...as, json: { key: 'BLANK', value } });
      expect([blank.status, blank.body.value]).toEqual([201, value]);
      await rest('DELETE', `${one}/variables/BLANK`, as);
    }
    await rest('PUT', `${one}/variables/A`, { ...as, json: { value: 'new' } });
    const gone = await rest('DELETE', `${one}/variables/A`, as);
    expect([gone.status, gone.body]).toEqual([202, changed.body]);
    for (const method of ['PUT', 'DELETE'] as const) {
      const missing = await rest(method, `${one}/variables/A`, as);
      expect([missing.status, missing.body]).toEqual([404, { message: '404 Pipeline Schedule Variable Not Found' }]);
    }
    for (const [json, answer] of [
      [{ value: 'x' }, { error: 'key is missing' }],
      [{ key: 'A' }, { error: 'value is missing' }],
      [{ key: 'a-b', value: 'x' }, { message: { key: ["can contain only letters, digits and '_'."] } }],
      [{ key: 'A', value: 'x', variable_type: 'y' }, { error: 'variable_type does not have a valid value' }],
    ]) {
      const refused = await rest('POST', `${one}/variables`, { ...as, json });
      expect([refused.status, refused.body]).toEqual([400, answer]);
    }
  });

  test('has GitLab’s names in GraphQL', async () => {
    const { path, fullPath } = await newCode(gateway);
    expect(path).toBeTruthy();
    const run = async (name: string, input: Record<string, unknown>, selection: string) => {
      const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
      const { data, errors } = await graphql<any>(
        `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} errors } }`,
        { token, variables: { input } },
      );
      expect(errors).toBeUndefined();
      return data[name];
    };
    const fields = `id description cron cronTimezone active ref refForDisplay refPath forTag nextRunAt realNextRun
      owner { username } lastPipeline { id } editPath
      userPermissions { updatePipelineSchedule adminPipelineSchedule takeOwnershipPipelineSchedule playPipelineSchedule }
      variables { nodes { key value variableType raw } }`.replace(' editPath', '');
    const made = await run(
      'pipelineScheduleCreate',
      {
        projectPath: fullPath,
        description: 'Daily',
        cron: '@daily',
        cronTimezone: 'Europe/Berlin',
        ref: 'refs/tags/v1',
        variables: [
          { key: 'A', value: 'a', variableType: 'ENV_VAR' },
          { key: 'B', value: 'b', variableType: 'FILE' },
        ],
      },
      `pipelineSchedule { ${fields} }`,
    );
    expect(made).toMatchObject({
      errors: [],
      pipelineSchedule: {
        id: expect.stringMatching(/^gid:\/\/gitlab\/Ci::PipelineSchedule\/\d+$/),
        ref: 'refs/tags/v1',
        refForDisplay: 'v1',
        forTag: true,
        userPermissions: {
          updatePipelineSchedule: true,
          adminPipelineSchedule: true,
          takeOwnershipPipelineSchedule: true,
          playPipelineSchedule: true,
        },
        variables: {
          nodes: [
            { key: 'A', value: 'a' },
            { key: 'B', value: 'b', variableType: 'FILE' },
          ],
        },
      },
    });
    const { id } = made.pipelineSchedule;
    const updated = await run(
      'pipelineScheduleUpdate',
      {
        id,
        active: false,
        variables: [
          { key: 'A', value: '', destroy: true },
          { key: 'C', value: 'c' },
        ],
      },
      `pipelineSchedule { active variables { nodes { key } } }`,
    );
    expect(updated.pipelineSchedule).toEqual({
      active: false,
      variables: { nodes: [{ key: 'B' }, { key: 'C' }] },
    });
    const source = (args: string) =>
      `{ project(fullPath: "${fullPath}") { pipelineSchedules${args} { count nodes { id variables { nodes { key } } } } } }`;
    const theirs = await graphql<any>(source(''), { token: tokens.developer });
    expect(theirs.data!.project.pipelineSchedules).toEqual({ count: 1, nodes: [{ id, variables: null }] });
    expect((await graphql<any>(source('(status: ACTIVE)'), { token })).data!.project.pipelineSchedules.count).toBe(0);
    expect((await graphql<any>(source(`(ids: ["${id}"])`), { token })).data!.project.pipelineSchedules.count).toBe(1);
    const wrong = await run('pipelineScheduleUpdate', { id, cron: 'x' }, 'pipelineSchedule { id }');
    expect(wrong).toEqual({ pipelineSchedule: null, errors: ['Cron is invalid syntax'] });
    expect((await run('pipelineScheduleDelete', { id }, 'clientMutationId')).errors).toEqual([]);
  });
});

describe('the clock of schedules', () => {
  const at = (cron: string, after: string, more: { zone?: string; lastRunAt?: string } = {}) =>
    nextRun(
      { cron, cronTimezone: more.zone ?? 'UTC', lastRunAt: more.lastRunAt ? new Date(more.lastRunAt) : null },
      new Date(after),
    )?.toISOString();

  test('keeps to the time of day of a zone when its clocks change', () => {
    const berlin = { zone: 'Europe/Berlin' };
    expect(at('0 3 * * *', '2026-03-27T12:00:00Z', berlin)).toBe('2026-03-28T02:00:00.000Z');
    expect(at('0 3 * * *', '2026-03-29T12:00:00Z', berlin)).toBe('2026-03-30T01:00:00.000Z');
    // A time that a day doesn't have, and one that it has twice, are one run each.
    const spring = at('30 2 * * *', '2026-03-28T12:00:00Z', berlin)!;
    expect(spring.slice(0, 10)).toBe('2026-03-29');
    const autumn = at('30 2 * * *', '2026-10-24T12:00:00Z', berlin)!;
    expect(autumn.slice(0, 10)).toBe('2026-10-25');
    expect(at('30 2 * * *', autumn, berlin)!.slice(0, 10)).toBe('2026-10-26');
  });

  test('leaves ten minutes between two runs', () => {
    const lastRunAt = '2026-01-01T12:00:00Z';
    expect(leastInterval).toBe(600_000);
    expect(at('* * * * *', '2026-01-01T12:00:05Z', { lastRunAt })).toBe('2026-01-01T12:10:00.000Z');
    expect(at('0 * * * *', '2026-01-01T12:00:05Z', { lastRunAt })).toBe('2026-01-01T13:00:00.000Z');
    expect(at('* * * * *', '2026-01-01T12:00:05Z')).toBe('2026-01-01T12:01:00.000Z');
  });
});
