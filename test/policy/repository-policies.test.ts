import { describe, expect, test } from 'vitest';
import * as policy from '../../src/policy/index.ts';
import type { Condition, Viewer } from '../../src/policy/index.ts';
import { as, byLevel, byVisibility, everyone, first, operatorMay, person, type More } from './ladder.ts';

/** Who reads and writes code, merge requests, pipelines and environments, by role, visibility and level of features. */

const other = person.id + 1;
const each = (least: string) => `${least} ${least} ${least}`;

describe('the repository', () => {
  test('is read by all who see an internal or public project; of a private one, guests don’t see it', () => {
    const shown = 'planner stranger anonymous';
    expect(byLevel(policy.readCode, 'repository')).toEqual({
      disabled: each('-'),
      private: 'planner guest guest',
      enabled: shown,
      public: shown,
    });
    expect(byVisibility(policy.downloadCode)).toBe(shown);
  });

  test('is written by developers and above, its branches protected by maintainers', () => {
    for (const [rule, least] of [
      [policy.writeCode, 'developer'],
      [policy.adminBranches, 'maintainer'],
    ] as const)
      expect(byLevel(rule, 'repository')).toEqual({
        disabled: each('-'),
        private: each(least),
        enabled: each(least),
        public: each(least),
      });
    expect(byVisibility(policy.pushCode)).toBe(each('developer'));
  });
});

describe('merge requests', () => {
  test('are read where they are there, by those who read the code', () => {
    expect(byLevel(policy.readMergeRequest, 'mergeRequests')).toEqual({
      disabled: each('-'),
      private: 'planner guest guest',
      enabled: 'planner stranger anonymous',
      public: 'planner stranger anonymous',
    });
    expect(byLevel(policy.readMergeRequest, 'repository')['disabled']).toBe(each('-'));
  });

  test('are opened by reporters and above from the project; from a fork by everybody signed in who reads them, but by no planners of a private one', () => {
    expect(byVisibility(policy.openMergeRequest)).toBe(each('reporter'));
    expect(byVisibility(policy.createMergeRequest)).toBe('reporter stranger external');
    for (const rule of [policy.openMergeRequest, policy.createMergeRequest])
      for (const feature of ['repository', 'mergeRequests'] as const)
        expect(byLevel(rule, feature)['disabled']).toBe(each('-'));
    // External people read the code of an internal project as its members.
    expect(everyone(policy.createMergeRequest, { visibility: 'INTERNAL' }, { external: true }).slice(0, 2)).toEqual([
      'planner',
      'reporter',
    ]);
    expect([operatorMay(policy.openMergeRequest), operatorMay(policy.createMergeRequest)]).toEqual([true, false]);
  });

  test('are changed by developers and above, their author and their assignee', () => {
    const of = (authorId: number, assigneeId: number | null) =>
      byVisibility(policy.updateMergeRequest, { mergeRequest: { authorId, assigneeId } });
    expect([of(other, null), of(other, other), of(person.id, other), of(other, person.id)]).toEqual([
      each('developer'),
      each('developer'),
      each('external'),
      each('external'),
    ]);
  });

  test.each<[what: string, rule: Condition, least: string]>([
    [
      'get labels, people and a milestone when they are opened, from reporters',
      policy.setMergeRequestMetadata,
      'reporter',
    ],
    ['are approved by developers', policy.approveMergeRequest, 'developer'],
    ['are deleted by owners', policy.destroyMergeRequest, 'owner'],
  ])('%s and above, not by their author as such', (_what, rule, least) => {
    const mergeRequest = { authorId: person.id, assigneeId: person.id };
    expect(byVisibility(rule, { mergeRequest })).toBe(each(least));
  });
});

describe('pipelines', () => {
  const hidden: More = { publicJobs: false };

  test('are read by reporters and above; where jobs are public, by all who see the project', () => {
    expect(byVisibility(policy.readPipelines)).toBe('guest stranger anonymous');
    expect(byVisibility(policy.readPipelines, hidden)).toBe(each('reporter'));
  });

  test('of scripts outside are there without jobs of the project, but none without its repository', () => {
    const shown = 'guest stranger anonymous';
    const levels = { disabled: shown, private: each('guest'), enabled: shown, public: shown };
    expect(byLevel(policy.readPipelines, 'builds')).toEqual(levels);
    expect(byLevel(policy.readPipelines, 'repository')).toEqual({ ...levels, disabled: each('-') });
  });

  test('jobs are read as pipelines are, while the project has jobs', () => {
    const shown = 'guest stranger anonymous';
    const levels = { disabled: each('-'), private: each('guest'), enabled: shown, public: shown };
    expect(byLevel(policy.readJobs, 'builds')).toEqual(levels);
    expect(byLevel(policy.readJobs, 'repository')).toEqual(levels);
    expect(byVisibility(policy.readJobs, hidden)).toBe(each('reporter'));
  });

  test('statuses of a commit are read as pipelines are, but not by guests of a private project', () => {
    expect(byVisibility(policy.readStatuses)).toBe('reporter stranger anonymous');
    expect(byVisibility(policy.readStatuses, hidden)).toBe(each('reporter'));
    expect(byLevel(policy.readStatuses, 'builds')['disabled']).toBe('reporter stranger anonymous');
    expect(byLevel(policy.readStatuses, 'builds')['private']).toBe('reporter guest guest');
    expect(byLevel(policy.readStatuses, 'repository')['disabled']).toBe(each('-'));
  });

  test.each<[what: string, rule: Condition, least: string]>([
    ['statuses are reported and pipelines cancelled by developers', policy.runPipelines, 'developer'],
    ['private logs and artifacts are read by developers', policy.readPrivateJobFiles, 'developer'],
    ['artifacts are deleted by maintainers', policy.deleteArtifacts, 'maintainer'],
    ['pipelines are deleted by owners', policy.deletePipelines, 'owner'],
    ['variables and triggers are for maintainers', policy.adminVariables, 'maintainer'],
    ['schedules of others are deleted by maintainers', policy.adminSchedules, 'maintainer'],
    ['variables of a group are for owners', policy.adminGroupVariables, 'owner'],
    ['runners of a project are for maintainers', policy.adminRunners, 'maintainer'],
    ['runners of a group are for owners', policy.adminGroupRunners, 'owner'],
    ['deploy keys are for maintainers', policy.adminDeployKeys, 'maintainer'],
  ])('%s and above', (_what, rule, least) => {
    expect(byVisibility(rule)).toBe(each(least));
    expect(operatorMay(rule)).toBe(true);
  });
});

describe('environments', () => {
  test('are seen by reporters and above; where jobs are public, by all who see an internal or public project', () => {
    expect(byVisibility(policy.readEnvironments)).toBe('reporter stranger anonymous');
    expect(byVisibility(policy.readEnvironments, { publicJobs: false })).toBe(each('reporter'));
  });

  test('are changed by developers and above, and their deployments deleted by maintainers', () => {
    expect(byVisibility(policy.writeEnvironments)).toBe(each('developer'));
    expect(byVisibility(policy.destroyDeployments)).toBe(each('maintainer'));
  });

  test('are there for those who have both them and jobs', () => {
    for (const feature of ['environments', 'builds'] as const) {
      const shown = 'reporter stranger anonymous';
      expect(byLevel(policy.readEnvironments, feature)).toEqual({
        disabled: each('-'),
        private: 'reporter guest guest',
        enabled: shown,
        public: shown,
      });
      for (const rule of [policy.writeEnvironments, policy.destroyDeployments])
        expect(byLevel(rule, feature)['disabled']).toBe(each('-'));
    }
  });
});

describe('a feature', () => {
  const facts = (accessLevel: number) => ({ visibility: 'PRIVATE', accessLevel }) as const;
  const has = (level: string | undefined, viewer: Viewer, accessLevel: number) =>
    policy.featureAvailable(
      'wiki',
      { attributes: level === undefined ? {} : { wikiAccessLevel: level }, visibility: 'PRIVATE' },
      viewer,
      facts(accessLevel),
    );

  test.each([
    ['disabled', [false, false, false, false]],
    ['private', [false, false, true, true]],
    ['enabled', [true, true, true, true]],
    [undefined, [true, true, true, true]],
  ])('at the level %s is there for a visitor, a stranger, a guest, an administrator: %j', (level, expected) => {
    expect([
      has(level, policy.anonymous, 0),
      has(level, as(), 0),
      has(level, as(), 10),
      has(level, as({ administrator: true }), 0),
    ]).toEqual(expected);
  });

  test('as a condition says the same', () => {
    const levels = { disabled: '-', private: 'guest', enabled: 'anonymous', public: 'anonymous' };
    for (const [level, least] of Object.entries(levels))
      expect(first(policy.available('wiki'), { levels: { wiki: level as 'enabled' } })).toBe(least);
  });
});

test('a deploy key reads as a reporter, pushes as a developer, and opens no other project', () => {
  const key: Viewer = {
    person: null,
    credential: { kind: 'deploy_key', keyId: 1, reads: [1, 2], writes: [2], creatorId: 9 },
  };
  expect([1, 2, 3].map((project) => policy.accessByKey(key, project))).toEqual([20, 30, null]);
  for (const viewer of [policy.anonymous, as(), policy.operator]) expect(policy.accessByKey(viewer, 1)).toBe(null);
});
