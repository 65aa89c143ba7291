import { describe, expect, test } from 'vitest';
import * as policy from '../../src/policy/index.ts';
import type { Condition, IssueFacts } from '../../src/policy/index.ts';
import { byLevel, byVisibility, everyone, first, operatorMay, person, type More } from './ladder.ts';

/** Who plans, comments and shares snippets: the matrix of roles, row by row. */

const other = person.id + 1;
const issue = (more: Partial<IssueFacts> = {}): More => ({
  issue: { authorId: other, assigneeId: null, confidential: false, ...more },
});
const confidential = issue({ confidential: true });
const ofViewer = issue({ authorId: person.id, confidential: true });
const forViewer = issue({ assigneeId: person.id, confidential: true });

/** Where the one who wrote it, or whom it is assigned to, may: everybody who has an account. */
const people = 'external';

describe('issues', () => {
  test('an ordinary one is read by everyone who has the issues of the project', () => {
    expect(byLevel(policy.readIssue, 'issues', issue())).toEqual({
      disabled: '- - -',
      private: 'guest guest guest',
      enabled: 'anonymous anonymous anonymous',
      public: 'anonymous anonymous anonymous',
    });
  });

  test('a confidential one is read by planners and above, by its author and its assignee, but by no guest', () => {
    expect(byVisibility(policy.readIssue, confidential)).toBe('planner planner planner');
    expect([first(policy.readIssue, ofViewer), first(policy.readIssue, forViewer)]).toEqual([people, people]);
    // A person's right ends with the feature.
    for (const more of [ofViewer, forViewer, confidential])
      expect(byLevel(policy.readIssue, 'issues', more)['disabled']).toBe('- - -');
    expect(first(policy.readsConfidential)).toBe('planner');
  });

  test('are created by everybody signed in who has them', () => {
    expect(byLevel(policy.createIssue, 'issues')).toEqual({
      disabled: '- - -',
      private: 'guest guest guest',
      enabled: 'external external external',
      public: 'external external external',
    });
    expect(operatorMay(policy.createIssue)).toBe(false);
  });

  test('title, description and state are changed by planners and above, the author and the assignee', () => {
    expect([issue(), ofViewer, forViewer].map((more) => first(policy.updateIssue, more))).toEqual([
      'planner',
      people,
      people,
    ]);
  });

  test('all else is changed by planners and above, while there are issues, even of an author or an assignee', () => {
    for (const more of [issue(), ofViewer, forViewer])
      expect(byLevel(policy.adminIssue, 'issues', more)).toEqual({
        disabled: '- - -',
        private: 'planner planner planner',
        enabled: 'planner planner planner',
        public: 'planner planner planner',
      });
  });

  test('are deleted by planners, owners and administrators, but not by those in between', () => {
    expect(everyone(policy.destroyIssue, ofViewer)).toEqual(['planner', 'owner', 'administrator']);
    expect(everyone(policy.destroyIssue, { accessLevel: 14 })).toEqual(['administrator']);
  });
});

test.each<[what: string, rule: Condition, least: string]>([
  ['numbers and dates of issues are chosen by owners', policy.dateIssue, 'owner'],
  ['labels, assignee, milestone and due date of a new issue are for members', policy.setIssueMetadata, 'guest'],
  ['issues are linked by members', policy.linkIssues, 'guest'],
  ['labels are made, changed and removed by planners', policy.adminLabel, 'planner'],
  ['milestones are made, changed and removed by planners', policy.adminMilestone, 'planner'],
  ['a milestone becomes one of the group by its developers', policy.promoteMilestone, 'developer'],
  ['internal notes are read and written by planners', policy.readInternalNote, 'planner'],
  ['comments of others are changed and deleted by maintainers', policy.adminNote, 'maintainer'],
  ['times that others spent are removed by maintainers', policy.adminTimelog, 'maintainer'],
  ['a locked discussion is for members', policy.commentLocked, 'guest'],
  ['the date of a comment is chosen by owners', policy.setNoteDate, 'owner'],
  ['what one reads is commented on by everybody signed in', policy.createNote, people],
])('%s, regardless of authorship and visibility', (_what, rule, least) => {
  for (const more of [issue(), ofViewer, forViewer])
    expect(byVisibility(rule, more)).toBe(`${least} ${least} ${least}`);
  // Who has no account comments on nothing.
  expect(operatorMay(rule)).toBe(rule !== policy.createNote);
});

test('threads are resolved by developers and above, and by the author of what is discussed', () => {
  const { resolveNote } = policy;
  expect([issue(), ofViewer, forViewer].map((more) => first(resolveNote, more))).toEqual([
    'developer',
    people,
    'developer',
  ]);
  const mergeRequest = { authorId: person.id, assigneeId: null };
  expect(first(resolveNote, { mergeRequest })).toBe(people);
  expect(first(resolveNote, { mergeRequest: { ...mergeRequest, authorId: other } })).toBe('developer');
});

test('labels and milestones are there while issues or merge requests are', () => {
  const off = { issues: 'disabled', mergeRequests: 'disabled' } as const;
  const at = (levels: More['levels']) => first(policy.readPlanning, { levels });
  expect([at(off), at({ ...off, issues: 'enabled' }), at({ ...off, mergeRequests: 'enabled' })]).toEqual([
    '-',
    'anonymous',
    'anonymous',
  ]);
  expect([at({ ...off, issues: 'private' }), at({ ...off, mergeRequests: 'private' })]).toEqual(['guest', 'guest']);
});

test('epics are for planners and above on the higher tier, even administrators', () => {
  expect(everyone(policy.readEpic)).toEqual([]);
  expect(everyone(policy.readEpic, {}, { premium: true })).toEqual([
    'planner',
    'reporter',
    'developer',
    'maintainer',
    'owner',
    'administrator',
  ]);
  expect(operatorMay(policy.readEpic)).toBe(false);
});

describe('snippets', () => {
  type Visibility = NonNullable<More['snippet']>['visibility'];
  const snippet = (visibility: Visibility, authorId = other): More => ({ snippet: { authorId, visibility } });
  const each = (rule: Condition, authorId?: number) =>
    (['PRIVATE', 'INTERNAL', 'PUBLIC'] as const).map((one) => first(rule, snippet(one, authorId))).join(' ');

  test('one of a person is read by visibility, and always by its author and administrators', () => {
    // A role somewhere is none for a snippet of a person: the role of the ladder isn't asked.
    expect(each(policy.readPersonalSnippet)).toBe('administrator stranger anonymous');
    expect(each(policy.readPersonalSnippet, person.id)).toBe('external external anonymous');
    for (const visibility of ['PRIVATE', 'INTERNAL', 'PUBLIC'] as const)
      expect(operatorMay(policy.readPersonalSnippet, snippet(visibility))).toBe(true);
  });

  test('one of a project is read by its members, too, while it has snippets', () => {
    expect(each(policy.readProjectSnippet)).toBe('guest stranger anonymous');
    expect(each(policy.readProjectSnippet, person.id)).toBe('external external anonymous');
    expect(byLevel(policy.readProjectSnippet, 'snippets', snippet('PUBLIC'))).toEqual({
      disabled: '- - -',
      private: 'guest guest guest',
      enabled: 'anonymous anonymous anonymous',
      public: 'anonymous anonymous anonymous',
    });
    expect(first(policy.readSnippets, { levels: { snippets: 'private' } })).toBe('guest');
    expect(first(policy.readSnippets)).toBe('anonymous');
  });

  test('one’s own are created by all people but external ones', () => {
    expect(everyone(policy.createPersonalSnippet, {}, { external: true })).toEqual([]);
    expect(first(policy.createPersonalSnippet)).toBe('stranger');
    expect(operatorMay(policy.createPersonalSnippet)).toBe(false);
  });

  test('those of a project are created by reporters and above, while it has snippets', () => {
    expect(byLevel(policy.createProjectSnippet, 'snippets')).toEqual({
      disabled: '- - -',
      private: 'reporter reporter reporter',
      enabled: 'reporter reporter reporter',
      public: 'reporter reporter reporter',
    });
  });

  test('are changed by their author, those of a project by maintainers, too, and those of people by administrators', () => {
    expect(each(policy.adminPersonalSnippet)).toBe('administrator administrator administrator');
    expect(each(policy.adminPersonalSnippet, person.id)).toBe('external external external');
    expect(each(policy.adminProjectSnippet)).toBe('maintainer maintainer maintainer');
    expect(each(policy.adminProjectSnippet, person.id)).toBe('external external external');
    expect(byLevel(policy.adminProjectSnippet, 'snippets', snippet('PUBLIC', person.id))['disabled']).toBe('- - -');
  });
});
