import { beforeAll, expect, test } from 'vitest';
import { reasonAt } from '../../src/notify/causes.ts';
import { decide } from '../../src/notify/decide.ts';
import { dueIssue, occurrencesOf, type Occurrence } from '../../src/notify/occurrence.ts';
import { recipients, standings } from '../../src/schema/notifications/recipients/statements/recipients.ts';
import { candidateValues } from '../../src/schema/notifications/recipients/statements/values.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { runs } from '../support/run/runs.ts';
import { told, type Happening } from './model.ts';
import { aWorld, randomFrom, store, type Random, type World } from './random-world.ts';

/**
 * Who is told is said three times: by a statement about everybody, by a function about one person, and by a plain model in
 * this folder. In random worlds, all of them say the same of every person and event.
 */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});

const people = 40;
const happenings = 26;
const worlds = 10;

const kinds: readonly Happening['kind'][] = [
  'new_note',
  'new_note',
  'new_note',
  'new_issue',
  'new_issue',
  'close_issue',
  'reopen_issue',
  'reassign_issue',
  'reassign_issue',
  'issue_due',
  'milestone',
  'moved_issue',
  'cloned_issue',
  'relabelled',
  'new_mention',
  'moved_project',
  'new_epic',
  'new_epic',
];

function aHappening(random: Random, world: World): Happening {
  const kind = random.one(world.epic ? kinds : kinds.filter((one) => one !== 'new_epic'));
  const someone = () => random.one(world.people).id;
  const snippet = kind === 'moved_project' || kind === 'new_epic' || (kind === 'new_note' && random.often(0.2));
  const assignee = random.often(0.7) ? someone() : null;
  const former = random.often(0.5) ? someone() : null;
  return {
    kind,
    actor: kind === 'new_epic' ? world.epic!.author : someone(),
    issue: snippet ? null : random.one(world.issues),
    internal: kind === 'new_note' && !snippet && random.often(0.2),
    mentioned: kind === 'new_mention' ? [someone(), someone()] : random.some(world.people, 0.1).map(({ id }) => id),
    former,
    assignee: former === assignee ? null : assignee,
    added: random.some(world.labels, 0.6).map(({ id }) => id),
  };
}

/** What people are told of it. Undefined: nothing would happen, since nobody is mentioned or no label added. */
function occurrenceFor(
  world: World,
  { kind, actor, issue, internal, mentioned, former, assignee, added }: Happening,
): Occurrence | undefined {
  if (kind === 'issue_due')
    return dueIssue({ id: issue!.id, projectId: world.projectId, authorId: issue!.author }, '2026-01-01', null);
  const happened = (name: string, ids: Record<string, number | readonly number[] | null> = {}, more: object = {}) =>
    occurrencesOf({
      id: '1',
      kind: name,
      actorId: actor,
      projectId: world.projectId,
      subjectId: issue?.id ?? world.projectId,
      ids,
      ...more,
    })[0];
  switch (kind) {
    case 'new_note':
      return happened(
        'note.created',
        { issueId: issue?.id ?? null, snippetId: issue ? null : world.snippet.id, mentionedIds: mentioned },
        { subjectId: 1, internal },
      );
    case 'new_issue':
      return happened(
        'issue.created',
        { mentionedIds: mentioned },
        { authorId: issue!.author, assigneeId: issue!.assignee, labelIds: issue!.labels },
      );
    case 'close_issue':
      return happened('issue.closed');
    case 'reopen_issue':
      return happened('issue.reopened');
    case 'reassign_issue':
      return happened('issue.updated', { formerAssigneeId: former, assigneeId: assignee });
    case 'milestone':
      return happened('issue.updated', { milestoneId: 1 });
    case 'moved_issue':
      return happened('issue.moved', { targetId: 1 });
    case 'cloned_issue':
      return happened('issue.cloned', { targetId: 1 });
    case 'relabelled':
      return happened('issue.updated', { addedLabelIds: added });
    case 'new_mention':
      return happened('issue.updated', { mentionedIds: mentioned }, { assigneeId: issue!.assignee });
    case 'moved_project':
      return happened('project.renamed');
    case 'new_epic':
      return happened(
        'epic.created',
        { mentionedIds: mentioned },
        { projectId: null, groupId: world.groupIds.at(-1), subjectId: world.epic!.id },
      );
  }
}

/** Lets more people belong to a project than are looked up one by one. They are told of nothing. */
async function crowd(projectId: number): Promise<void> {
  await gateway.sql(
    `insert into users (id, username, name) select -n, 'crowd-' || n, 'Crowd' from generate_series(1, 1001) n on conflict do nothing`,
  );
  await gateway.sql(
    `insert into project_members (user_id, project_id, access_level) select -n, $1, 10 from generate_series(1, 1001) n`,
    [projectId],
  );
}

test(`in ${worlds * runs} worlds, of ${people} people and ${happenings} events each`, async () => {
  const { database } = gateway.gateway.application;
  const seed = Number(process.env.TEST_SEED ?? (runs > 1 ? Date.now() % 1_000_000_000 : 19));
  let cases = 0;
  const outcomes = new Map<string, number>();
  for (let turn = 0; turn < worlds * runs; turn++) {
    const random = randomFrom(seed + turn);
    const world = aWorld(random, people);
    await store(gateway, world, random);
    // Few who belong to a place are found in another way than many.
    if (turn % 2 === 1) await crowd(world.projectId);
    const ids = world.people.map(({ id }) => id);
    for (let at = 0; at < happenings; at++) {
      const happening = aHappening(random, world);
      const occurrence = occurrenceFor(world, happening);
      if (!occurrence) continue;
      const { kind } = occurrence.subject;
      const values = candidateValues(occurrence, 'UTC');
      const [rows, facts] = await Promise.all([
        database.rows(recipients.asc[kind], [...values, 1_000, null, null, 0]),
        database.rows(standings[kind], [...values, ids]),
      ]);
      const byStatement = new Map(rows.map((row) => [row.user_id, reasonAt(row.rank)]));
      const byFacts = new Map(facts.map((row) => [row.user_id, row]));
      for (const person of world.people) {
        const { candidacies, ...row } = byFacts.get(person.id)!;
        const decision = decide(occurrence.cause, {
          ...row,
          candidacies: candidacies.map(({ via, rank }) => ({ via, reason: reasonAt(rank) })),
        });
        const expected = told(world, person, happening);
        const said = {
          statement: byStatement.has(person.id) ? (byStatement.get(person.id) ?? 'no reason') : 'not told',
          decision: decision.notified ? (decision.reason ?? 'no reason') : 'not told',
          model: expected === undefined ? 'not told' : (expected?.toUpperCase() ?? 'no reason'),
        };
        cases++;
        outcomes.set(said.model, (outcomes.get(said.model) ?? 0) + 1);
        if (said.statement !== said.model || said.decision !== said.model)
          expect(said, `seed ${seed + turn}, event ${at}: ${JSON.stringify({ happening, person, decision })}`).toEqual({
            statement: said.model,
            decision: said.model,
            model: said.model,
          });
      }
    }
  }
  expect(cases).toBeGreaterThanOrEqual(10_000 * runs * 0.9);
  // Every outcome is seen often.
  for (const outcome of ['not told', 'no reason', 'OWN_ACTIVITY', 'ASSIGNED', 'MENTIONED', 'SUBSCRIBED'])
    expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(5 * runs);
}, 3_600_000);
