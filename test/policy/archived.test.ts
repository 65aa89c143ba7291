import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/schema/index.ts';
import { newTopic, opened } from '../reviews/support/opened.ts';
import { testGateway } from '../support/gateway.ts';
import { dataOf } from '../support/requests/answers.ts';

/** Nothing changes in an archived project, and what one may do there says so. */

const gateway = await testGateway();
const { rest, tokens } = gateway;

type Permissions = Record<string, boolean>;

/** The fields of a type of permissions. */
const fieldsOf = (type: string) =>
  Object.keys((schema.getType(type) as unknown as { getFields(): object }).getFields());

/** A request by which the permission is used. */
type Use = readonly [method: 'POST' | 'PUT' | 'DELETE', path: string, json?: object];

interface Subject {
  readonly type: string;
  readonly query: string;
  /** How each permission that ends with the archiving is used. */
  readonly uses: Readonly<Record<string, Use>>;
  /** Those that stay: one still reads, and the project itself may be changed. */
  readonly stays: readonly string[];
  /** Those that no one has of it. */
  readonly never?: readonly string[];
}

let path: string;
let subjects: readonly Subject[];
beforeAll(async () => {
  const project = await newTopic(gateway);
  ({ path } = project);
  const made = async (to: string, json: object, token = tokens.developer) => {
    const { status, body, text } = await rest('POST', `${path}${to}`, { token, json });
    if (status !== 201) throw new Error(`${to}: ${status} ${text}`);
    return body;
  };
  const actions = [
    { action: 'create', file_path: '.gitlab-ci.yml', content: 'work: { script: "true", when: manual }\n' },
  ];
  const { id: sha } = await made('/repository/commits', { branch: 'topic', commit_message: 'Work', actions });
  const pipeline = (await made('/pipeline', { ref: 'topic' })) as { id: number };
  const [job] = (await rest('GET', `${path}/pipelines/${pipeline.id}/jobs`, { token: tokens.developer })).body;
  const cron = { description: 'Nightly', ref: 'topic', cron: '0 1 * * *' };
  const schedule = await made('/pipeline_schedules', cron, tokens.maintainer);
  const one = await opened(gateway, project);
  const issue = await made('/issues', { title: 'Leaks' });
  const thread = await made('/issues/1/discussions', { body: 'Where?' });
  const review = await made(`/merge_requests/${one.iid}/discussions`, { body: 'Why?' });
  const snippet = await made('/snippets', {
    title: 'Notes',
    visibility: 'private',
    files: [{ file_path: 'a', content: 'a' }],
  });
  const remark = await made(`/snippets/${snippet.id}/notes`, { body: 'Nice' });
  const comment = await made(`/repository/commits/${sha}/discussions`, { body: 'Odd' });
  const [note, reviewNote, commitNote] = [thread, review, comment].map(({ notes }) => notes[0].id as number);
  const body = { body: 'x' };
  const of = (uses: Subject['uses']) => uses;
  /** How comments on something are used. @param on its path @param first one of these */
  const talk = (on: string, first: number, discussion: string) =>
    of({
      createNote: ['POST', `${on}/notes`, body],
      adminNote: ['PUT', `${on}/notes/${first}`, body],
      resolveNote: ['PUT', `${on}/discussions/${discussion}`, { resolved: true }],
    });
  const { adminNote, createNote } = talk(`/snippets/${snippet.id}`, remark.id, '');
  const award = (on: string): Use => ['POST', `${on}/award_emoji`, { name: 'thumbsup' }];
  const review1 = `/merge_requests/${one.iid}`;
  const schedule1 = `/pipeline_schedules/${schedule.id}`;
  subjects = [
    {
      type: 'ProjectPermissions',
      query: `project(fullPath: "${project.fullPath}")`,
      uses: {
        adminLabel: ['POST', '/labels', { name: 'bug', color: '#ff0000' }],
        adminMilestone: ['POST', '/milestones', { title: 'One' }],
        createDeployment: ['POST', '/environments', { name: 'production' }],
        createIssue: ['POST', '/issues', { title: 'x' }],
        setIssueMetadata: ['POST', '/issues', { title: 'x', labels: 'bug' }],
        createMergeRequestFrom: [
          'POST',
          '/merge_requests',
          { source_branch: 'topic', target_branch: 'other', title: 'x' },
        ],
        createMergeRequestIn: [
          'POST',
          '/merge_requests',
          { source_branch: 'topic', target_branch: 'other', title: 'x' },
        ],
        createSnippet: [
          'POST',
          '/snippets',
          { title: 'x', visibility: 'private', files: [{ file_path: 'x', content: 'x' }] },
        ],
        pushCode: ['POST', '/repository/branches', { branch: 'other', ref: 'main' }],
      },
      stays: [
        'adminOperations',
        'adminProject',
        'archiveProject',
        'changeVisibilityLevel',
        'downloadCode',
        'forkProject',
        'readEnvironment',
        'readPipeline',
        'readProject',
        'removeProject',
      ],
      never: ['requestAccess'],
    },
    {
      type: 'IssuePermissions',
      query: `issue(id: "gid://gitlab/Issue/${issue.id}")`,
      uses: {
        updateIssue: ['PUT', '/issues/1', { title: 'x' }],
        reopenIssue: ['PUT', '/issues/1', { state_event: 'reopen' }],
        adminIssue: ['POST', '/issues/1/time_estimate', { duration: '1h' }],
        destroyIssue: ['DELETE', '/issues/1'],
        ...talk('/issues/1', note!, thread.id),
      },
      stays: ['readInternalNote', 'readIssue'],
    },
    {
      type: 'NotePermissions',
      query: `note(id: "gid://gitlab/Note/${note}")`,
      uses: { awardEmoji: award(`/issues/1/notes/${note}`), ...talk('/issues/1', note!, thread.id) },
      stays: ['readNote'],
    },
    {
      type: 'MergeRequestPermissions',
      query: `mergeRequest(id: "gid://gitlab/MergeRequest/${one.id}")`,
      uses: {
        updateMergeRequest: ['PUT', review1, { title: 'x' }],
        adminMergeRequest: ['PUT', review1, { labels: 'x' }],
        destroyMergeRequest: ['DELETE', review1],
        canApprove: ['POST', `${review1}/approve`],
        canMerge: ['PUT', `${review1}/merge`],
        ...talk(review1, reviewNote!, review.id),
      },
      stays: ['readInternalNote', 'readMergeRequest'],
    },
    {
      type: 'SnippetPermissions',
      query: `snippet: project(fullPath: "${project.fullPath}") { snippets { nodes`,
      uses: {
        updateSnippet: ['PUT', `/snippets/${snippet.id}`, { title: 'x' }],
        adminSnippet: ['DELETE', `/snippets/${snippet.id}`],
        awardEmoji: award(`/snippets/${snippet.id}`),
        adminNote: adminNote!,
        createNote: createNote!,
      },
      stays: ['readInternalNote', 'readSnippet'],
      never: ['reportSnippet', 'resolveNote'],
    },
    {
      type: 'CommitPermissions',
      query: `project(fullPath: "${project.fullPath}") { repository { commit(ref: "${sha}")`,
      uses: {
        createNote: ['POST', `/repository/commits/${sha}/comments`, { note: 'x' }],
        adminNote: ['PUT', `/repository/commits/${sha}/discussions/${comment.id}/notes/${commitNote}`, body],
      },
      stays: [],
    },
    {
      type: 'PipelinePermissions',
      query: `project(fullPath: "${project.fullPath}") { pipeline(id: "gid://gitlab/Ci::Pipeline/${pipeline.id}")`,
      uses: { updatePipeline: ['POST', `/pipelines/${pipeline.id}/cancel`] },
      stays: [],
    },
    {
      type: 'JobPermissions',
      query: `project(fullPath: "${project.fullPath}") { job(id: "gid://gitlab/Ci::Build/${job.id}")`,
      uses: {
        updateBuild: ['POST', `/jobs/${job.id}/play`],
        eraseBuild: ['POST', `/jobs/${job.id}/erase`],
      },
      stays: [],
    },
    {
      type: 'PipelineSchedulePermissions',
      query: `project(fullPath: "${project.fullPath}") { pipelineSchedules { nodes`,
      uses: {
        updatePipelineSchedule: ['PUT', schedule1, { description: 'x' }],
        adminPipelineSchedule: ['DELETE', schedule1],
        takeOwnershipPipelineSchedule: ['POST', `${schedule1}/take_ownership`],
        playPipelineSchedule: ['POST', `${schedule1}/play`],
      },
      stays: [],
    },
  ];
});

/** What its owner may do with a subject. */
async function permissionsOf({ query, type }: Subject): Promise<Permissions> {
  const text = `${query} { userPermissions { ${fieldsOf(type).join(' ')} } }`;
  const close = '}'.repeat(text.split('{').length - text.split('}').length);
  const data = dataOf(await gateway.graphql(`{ ${text} ${close} }`, { token: tokens.maintainer }));
  let found: unknown = data;
  for (;;) {
    const { userPermissions } = found as { userPermissions?: Permissions };
    if (userPermissions) return userPermissions;
    [found] = Object.values(found as object);
  }
}

const expectedOf = ({ uses, stays, never = [] }: Subject, archived: boolean): Permissions => ({
  ...Object.fromEntries(Object.keys(uses).map((name) => [name, !archived])),
  ...Object.fromEntries(stays.map((name) => [name, true])),
  ...Object.fromEntries(never.map((name) => [name, false])),
});

/** How GitLab refuses those who may not push or merge. */
const refusals: Readonly<Record<string, number>> = { pushCode: 400, canMerge: 401 };

/** Types of permissions of what isn’t in a project. */
const elsewhere = ['GroupPermissions', 'UserPermissions'];

describe('an archived project', () => {
  test('is one of all permissions here', () => {
    const types = Object.keys(schema.getTypeMap()).filter((name) => /^(?!_).+Permissions$/.test(name));
    expect(types.toSorted()).toEqual([...subjects.map(({ type }) => type), ...elsewhere].toSorted());
  });

  test('lets its owner do only what it answers', async () => {
    const said = async () =>
      Object.fromEntries(
        await Promise.all(subjects.map(async (subject) => [subject.type, await permissionsOf(subject)] as const)),
      );
    const expected = (archived: boolean) =>
      Object.fromEntries(subjects.map((subject) => [subject.type, expectedOf(subject, archived)]));
    expect(await said()).toEqual(expected(false));
    expect((await rest('POST', `${path}/archive`, { token: tokens.maintainer })).status).toBe(201);
    expect(await said()).toEqual(expected(true));
    const allowed: unknown[] = [];
    for (const { type, uses } of subjects)
      for (const [name, [method, to, json]] of Object.entries(uses)) {
        const { status } = await rest(method, `${path}${to}`, { token: tokens.maintainer, ...(json && { json }) });
        if (status !== (refusals[name] ?? 403)) allowed.push([type, name, status]);
      }
    expect(allowed).toEqual([]);
  });
});
