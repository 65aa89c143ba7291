import { beforeAll, describe, expect, test } from 'vitest';
import { record } from '../../src/events/record.ts';
import { insertEvents } from '../../src/events/statements.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { sentBy } from '../support/databases/statements.ts';

let gateway: TestGateway;
const people: Record<string, number> = {};
beforeAll(async () => {
  gateway = await testGateway();
  for (const { id, username } of await gateway.sql<{ id: number; username: string }>('select id, username from users'))
    people[username] = id;
});

interface EventRow {
  readonly kind: string;
  readonly actor: string | null;
  readonly place: string;
  readonly subject: string;
  readonly ids: object;
}

/** The events that some requests write. */
async function eventsOf(work: () => Promise<unknown>): Promise<EventRow[]> {
  const [{ last }] = (await gateway.sql<{ last: string }>('select coalesce(max(id), 0) as last from events')) as [
    { last: string },
  ];
  await work();
  return await gateway.sql<EventRow>(
    `select e.kind, u.username as actor, coalesce('group ' || e.group_id, 'project ' || e.project_id) as place,
            e.subject_kind || ' ' || e.subject_id as subject, e.ids
       from events e left join users u on u.id = e.actor_id where e.id > $1 order by e.id`,
    [last],
  );
}

async function send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object, status?: number) {
  const answer = await gateway.rest(method, `/api/v4/${path}`, {
    token: gateway.tokens.root,
    ...(body && { json: body }),
  });
  if (status === undefined) expect(answer.status).toBeLessThan(300);
  else expect(answer.status).toBe(status);
  return answer.body as { id: number };
}

const event = (kind: string, place: string, subject: string, ids: object = {}): EventRow => ({
  kind,
  actor: 'root',
  place,
  subject,
  ids,
});

describe('what happens is recorded', () => {
  test('to a group', async () => {
    let id = 0;
    const written = await eventsOf(async () => {
      ({ id } = await send('POST', 'groups', { name: 'Orchard', path: 'orchard' }));
      await send('PUT', `groups/${id}`, { name: 'The orchard' });
      await send('PUT', `groups/${id}`, { path: 'trees' });
      await send('PUT', `groups/${id}`, { path: 'trees' });
      await send('DELETE', `groups/${id}`);
    });
    expect(written).toEqual(
      ['created', 'renamed', 'deleted'].map((what) => event(`group.${what}`, `group ${id}`, `Group ${id}`)),
    );
  });

  test('to a project', async () => {
    let id = 0;
    let fork = 0;
    const written = await eventsOf(async () => {
      ({ id } = await send('POST', 'projects', { name: 'Kiosk', visibility: 'public' }));
      await send('PUT', `projects/${id}`, { description: 'sells' });
      await send('PUT', `projects/${id}`, { path: 'kiosk-2' });
      await send('POST', `projects/${id}/archive`);
      await send('POST', `projects/${id}/archive`);
      await send('POST', `projects/${id}/unarchive`);
      ({ id: fork } = await send('POST', `projects/${id}/fork`, { path: 'fork-of-kiosk', name: 'Fork of kiosk' }));
      await send('DELETE', `projects/${id}`);
    });
    const of = (what: string) => event(`project.${what}`, `project ${id}`, `Project ${id}`);
    expect(written).toEqual([
      ...['created', 'renamed', 'archived', 'unarchived'].map(of),
      event('project.forked', `project ${fork}`, `Project ${fork}`, { sourceId: id }),
      of('deleted'),
    ]);
  });

  test('to members, also below a group, and of those whose membership ended', async () => {
    const { id: group } = await send('POST', 'groups', { name: 'Crew', path: 'crew' });
    const { id: below } = await send('POST', 'groups', { name: 'Deck', path: 'deck', parent_id: group });
    const { id: project } = await send('POST', 'projects', { name: 'Boat', namespace_id: group });
    const { guest, developer } = people as { guest: number; developer: number };
    const member = (place: string, ids: object) => send('POST', `${place}/members`, { access_level: 30, ...ids });
    const written = await eventsOf(async () => {
      await member(`groups/${group}`, { user_id: guest });
      await member(`groups/${below}`, { user_id: guest });
      await member(`projects/${project}`, { user_id: guest });
      await member(`projects/${project}`, { user_id: developer });
      await send('PUT', `projects/${project}/members/${developer}`, { access_level: 40 });
      await send('DELETE', `groups/${group}/members/${guest}`);
      await gateway.sql('update project_members set expires_at = current_date - 1 where project_id = $1', [project]);
      await sweep({ database: gateway.gateway.application.database, auditDays: 365 });
    });
    const to = (what: string, place: string, who: number) => event(`member.${what}`, place, `User ${who}`);
    expect(written.slice(0, 6)).toEqual([
      to('added', `group ${group}`, guest),
      to('added', `group ${below}`, guest),
      to('added', `project ${project}`, guest),
      to('added', `project ${project}`, developer),
      to('updated', `project ${project}`, developer),
      to('removed', `group ${group}`, guest),
    ]);
    expect(written.slice(6, 8).toSorted((one, other) => (one.place < other.place ? -1 : 1))).toEqual([
      to('removed', `group ${below}`, guest),
      to('removed', `project ${project}`, guest),
    ]);
    expect(written.slice(8)).toEqual([{ ...to('expired', `project ${project}`, developer), actor: null }]);
  });
});

test('an event is written with its change, or neither is', async () => {
  const { id } = await send('POST', 'projects', { name: 'All or nothing' });
  // The audit row is the last one of the transaction.
  await gateway.sql(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused' using errcode = '53100'; end $$;
     create trigger refuse before insert on audit_events for each row execute function refuse();`,
  );
  try {
    const written = await eventsOf(() =>
      send('POST', `projects/${id}/members`, { user_id: people['guest'], access_level: 30 }, 503),
    );
    expect(written).toEqual([]);
  } finally {
    await gateway.sql('drop trigger refuse on audit_events; drop function refuse()');
  }
  expect(await gateway.sql('select 1 from project_members where project_id = $1', [id])).toEqual([]);
});

test('a change and its event share a statement', async () => {
  const { id } = await send('POST', 'projects', { name: 'Frugal' });
  const sent = await sentBy(() =>
    send('POST', `projects/${id}/members`, { user_id: people['guest'], access_level: 30 }),
  );
  const writing = sent.filter(({ text }) => /insert into events/.test(text));
  expect(writing).toHaveLength(1);
  expect(writing[0]!.text).toContain('insert into project_members');
});

test('a job that reads a kind of event is enqueued with each of them, and not with a rollback', async () => {
  const { database } = gateway.gateway.application;
  const read = insertEvents('group.created', ['remove_user']);
  const values = [people['root'], 1, null, [1, 2], '{}'];
  await expect(
    database.transaction(async (sql) => {
      await sql.rows(read, values);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  // In one transaction, so that the worker of this gateway doesn't run them.
  await expect(
    database.transaction(async (sql) => {
      await sql.rows(read, values);
      await record(sql, 'group.created', { actorId: null, groupId: 1, subjectId: 3 });
      const probe = { name: 'probe', text: '' };
      const jobs = await sql.rows<{ payload: { eventId: string }; kind: string; subject_id: number }>(
        {
          ...probe,
          text: `select j.payload, e.kind, e.subject_id from jobs j join events e on e.id = (j.payload ->> 'eventId')::bigint
                  where j.name = 'remove_user' order by e.id`,
        },
        [],
      );
      expect(jobs.map(({ kind, subject_id: id }) => [kind, id])).toEqual([
        ['group.created', 1],
        ['group.created', 2],
      ]);
      throw new Error('enough');
    }),
  ).rejects.toThrow('enough');
  expect(read.enqueues).toBe(true);
  expect(insertEvents('group.created').enqueues).toBeUndefined();
});

test('the sweep removes events after the days that they are kept', async () => {
  const { database } = gateway.gateway.application;
  await gateway.sql(`update events set at = now() - interval '40 days'`);
  const [{ count }] = (await gateway.sql('select count(*)::int as count from events')) as [{ count: number }];
  await sweep({ database, auditDays: 365, eventDays: 41 });
  expect(await gateway.sql('select count(*)::int as count from events')).toEqual([{ count }]);
  await sweep({ database, auditDays: 365, eventDays: 39 });
  expect(await gateway.sql('select count(*)::int as count from events')).toEqual([{ count: 0 }]);
});
