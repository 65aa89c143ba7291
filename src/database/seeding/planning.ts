import { count, created, createdBy, given, shuffled, spread, type Step } from './parts.ts';

/** The steps of seeding that make labels, milestones, issues and comments in the seeded projects. */

const [milestones, issues, notes] = [count('milestones'), count('issues'), count('notes')];
const projects = `greatest(${count('projects')}, 1)`;

/** Ten kinds of labels in each project: the tenth are of groups. */
const kinds = 10;
const isOfGroup = `(i - 1) / ${projects} % ${kinds} = ${kinds - 1}`;

/** How many issues and comments are in the first project, and on the first issue. */
const crowded = `case when ${projects} = 1 then ${issues} else ${issues} / 10 end`;
const discussed = `${notes} / 500`;
/** How many projects share the other issues. */
const others = `greatest(${projects} - 1, 1)`;
/** SQL for how many of `all` rows the share with the number `number` gets, if they are dealt to `shares` of them in turn. */
const dealt = (all: string, number: string, shares: string) =>
  `(greatest(${all} - ${number}, 0) + ${shares} - 1) / ${shares}`;

/** Words of texts. There are 59 of them, so that a search finds some. */
const words =
  'anchor basket candle desert engine fabric garden hammer island jacket kettle ladder magnet needle orange parcel quartz ribbon saddle tablet umpire valley walnut yellow zipper branch copper donkey effort forest glider harbor insect jungle kitten lantern marble nickel oyster pepper quiver rocket silver timber urchin velvet window yogurt zephyr artist bridge castle dragon empire falcon glacier helmet impact jigsaw';
const word = (at: string) => `('{${words.replaceAll(' ', ',')}}'::text[])[1 + (${at}) % 59]`;

/** SQL for the ids of labels of the issue `i`: up to three of its project. */
const labelsOfIssue = `array(select l.id from seeded l where l.kind = 'label' and l.number = any((array[
    place.number + ${projects} * (k % 9), place.number + ${projects} * ((k * 5 + 1) % 9), place.number + ${projects} * ((k / 9 + 4) % 9)
  ])[1:k % 4]) order by l.id)`;

export const planningSteps: readonly Step[] = [
  {
    counts: 'labels',
    label: 'labels',
    tables: ['labels', 'label_priorities'],
    batch: 50_000,
    text: `
      with ${given}, numbered as materialized (
        select i, nextval('labels_id_seq')::int as id, p.id as project_id, g.id as group_id, (i - 1) / ${projects} as rank
          from generate_series($1, $2) i
          left join seeded p on not ${isOfGroup} and p.kind = 'project' and p.number = 1 + (i - 1) % ${projects}
          left join seeded g on ${isOfGroup} and g.kind = 'group' and g.number = 1 + (i - 1) % ${projects} % greatest(${count('groups')}, 1)
         where p.id is not null or g.id is not null
      ), labels as (
        insert into labels (id, project_id, group_id, title, color, description, created_at)
        select id, project_id, group_id, case when group_id is null then 'Label ' || rank else 'Group label ' || i end,
               '#' || lpad(to_hex(i % 16777216), 6, '0'), 'Seeded label ' || i, ${created} from numbered
      ), priorities as (
        insert into label_priorities (project_id, label_id, priority) select project_id, id, rank from numbered where project_id is not null and rank < 3
      )
      insert into seeded (kind, number, id) select 'label', i, id from numbered where project_id is not null`,
  },
  {
    counts: 'milestones',
    label: 'milestones',
    tables: ['milestones', 'project_counters'],
    batch: 50_000,
    text: `
      with ${given}, numbered as materialized (
        select i, nextval('milestones_id_seq')::int as id, p.id as project_id, (i - 1) / ${projects} as rank, (i - 1) / ${projects} + p.number as k
          from generate_series($1, $2) i join seeded p on p.kind = 'project' and p.number = 1 + (i - 1) % ${projects}
      ), milestones as (
        insert into milestones (id, project_id, iid, title, description, state, start_date, due_date, created_at)
        select id, project_id, rank + 1, 'Milestone ' || rank, 'Seeded milestone ' || i,
               (case when k % 5 = 0 then 'CLOSED' else 'ACTIVE' end)::"MilestoneState",
               case when k % 4 > 0 then current_date - k % 60 end, case when k % 6 > 0 then current_date + k % 300 - 100 end, ${created} from numbered
      ), counters as (
        insert into project_counters (project_id, kind, last)
        select id, 'MILESTONE', ${dealt(milestones, '(number - 1)', projects)} from seeded
         where kind = 'project' and $2 = ${milestones} and ${milestones} >= number
      )
      insert into seeded (kind, number, id) select 'milestone', i, id from numbered`,
  },
  {
    counts: 'issues',
    label: 'issues',
    tables: ['issues', 'project_counters', 'participants', 'todos', 'resource_events', 'awards', 'events'],
    batch: 50_000,
    text: `
      with ${given}, placed as materialized (
        -- Issues of one project differ by k, and their times by h.
        select i, number, iid, iid + number as k, (${shuffled('i')} % 4294967296) as h from generate_series($1, $2) i, lateral (
          select case when i <= ${crowded} then 1 else 2 + (i - ${crowded} - 1) % ${others} end as number,
                 case when i <= ${crowded} then i else 1 + (i - ${crowded} - 1) / ${others} end as iid
        ) place
      ), numbered as materialized (
        select i, k, h, nextval('issues_id_seq')::int as id, p.id as project_id, place.iid, ${labelsOfIssue} as label_ids, m.id as milestone_id,
               author.id as author_id, other.id as other_id, third.id as third_id
          from placed place
          join seeded p on p.kind = 'project' and p.number = place.number
          join seeded author on author.kind = 'user' and author.number = ${spread('i', count('users'))}
          join seeded other on other.kind = 'user' and other.number = ${spread('(i + 1)', count('users'))}
          join seeded third on third.kind = 'user' and third.number = ${spread('(i + 2)', count('users'))}
          left join seeded m on k % 2 = 0 and m.kind = 'milestone' and m.number = place.number + ${projects} * (k / 2 % 5)
         order by i
      ), issues as (
        insert into issues (id, project_id, iid, title, description, type, severity, state, author_id, assignee_id, milestone_id, label_ids,
          due_date, confidential, relative_position, closed_at, closed_by_id, time_estimate, upvotes, notes_count, created_at, updated_at)
        select id, project_id, iid, initcap(${word('i / 7')}) || ' ' || ${word('i * 3')} || ' of the ' || ${word('i / 59')} || ' ' || i,
               'Seeded issue ' || i || ' tells of a ' || ${word('i')} || ' and a ' || ${word('i / 3')}
                 || ', in a text that is as long as people write when they are short of time.',
               (case k % 10 when 3 then 'INCIDENT' when 7 then 'TASK' else 'ISSUE' end)::"IssueType",
               (case k % 50 when 3 then 'CRITICAL' when 13 then 'HIGH' else 'UNKNOWN' end)::"IssueSeverity",
               (case when k % 3 = 0 then 'CLOSED' else 'OPENED' end)::"IssueState", author_id, case when k % 3 = 1 then other_id end, milestone_id,
               label_ids, case when k % 4 = 1 then current_date + k % 200 - 100 end, k % 20 = 11, case when k % 2 = 1 then k % 100000 * 500 end,
               case when k % 3 = 0 then now() - h % 300 * interval '1 hour' end, case when k % 3 = 0 then other_id end, k % 8 * 1800,
               (k % 7 = 0)::int, ${dealt(`(${notes} - ${discussed})`, '(i - 1)', issues)} + case when i = 1 then ${discussed} else 0 end,
               ${createdBy('h')}, now() - h % 700 * interval '1 hour' - h % 3600 * interval '1 second'
          from numbered
      ), taking as (
        insert into participants (issue_id, user_id)
        select distinct id, one from numbered, unnest(array[author_id, other_id, third_id]) one
      ), todo as (
        insert into todos (user_id, author_id, project_id, issue_id, action, state)
        select other_id, author_id, project_id, id, 'ASSIGNED', (case when k % 2 = 0 then 'PENDING' else 'DONE' end)::"TodoState"
          from numbered where k % 3 = 1
      ), happened as (
        insert into resource_events (issue_id, user_id, kind, action, milestone_id)
        select id, author_id, 'MILESTONE', 'ADD', milestone_id from numbered where milestone_id is not null
      ), liked as (
        insert into awards (issue_id, user_id, name) select id, third_id, 'thumbsup' from numbered where k % 7 = 0
      ), events as (
        insert into events (kind, actor_id, project_id, subject_kind, subject_id) select 'issue.created', author_id, project_id, 'Issue', id from numbered
      ), counters as (
        insert into project_counters (project_id, kind, last)
        select one.id, 'ISSUE', one.last from (
          select id, case when number = 1 then ${crowded} else ${dealt(`(${issues} - ${crowded})`, '(number - 2)', others)} end as last
            from seeded where kind = 'project' and $2 = ${issues}
        ) one where one.last > 0
      )
      insert into seeded (kind, number, id) select 'issue', i, id from numbered`,
  },
  {
    counts: 'notes',
    label: 'comments',
    tables: ['notes', 'events'],
    batch: 100_000,
    text: `
      with ${given}, numbered as (
        select i, nextval('notes_id_seq')::int as id, place.number, place.rank from generate_series($1, $2) i, lateral (
          select case when i <= ${discussed} then 1 else 1 + (i - ${discussed} - 1) % greatest(${issues}, 1) end as number,
                 case when i <= ${discussed} then i else ${discussed} + (i - ${discussed} - 1) / greatest(${issues}, 1) end as rank
        ) place
      ), notes as (
        insert into notes (id, issue_id, project_id, discussion_id, author_id, body, created_at, updated_at)
        select numbered.id, issue.id, issue.project_id, substring(sha256(convert_to($3 || ' ' || i, 'UTF8')) from 1 for 20), author.id,
               'Seeded comment ' || i || ' on the ' || ${word('i / 11')} || ', which says that it still happens.',
               least(issue.created_at + rank * interval '1 minute', now()), least(issue.created_at + rank * interval '1 minute', now())
          from numbered
          join seeded s on s.kind = 'issue' and s.number = numbered.number
          join issues issue on issue.id = s.id
          join seeded author on author.kind = 'user' and author.number = ${spread('(numbered.number + 1 + i % 2)', count('users'))}
        returning id, issue_id, project_id, author_id
      )
      insert into events (kind, actor_id, project_id, subject_kind, subject_id, ids)
      select 'note.created', author_id, project_id, 'Note', id, jsonb_build_object('issueId', issue_id, 'snippetId', null, 'mentionedIds', '{}'::int[],
        'addressedIds', '{}'::int[]) from notes`,
  },
];
