import * as policy from '../../../src/policy/index.ts';
import { done, invalid, noRecord, text, type Action } from './action.ts';

/** What people do with the code of a project, its pipelines and its environments. */

/** Of a branch that isn't there. */
const repositories: readonly Action[] = [
  {
    name: 'list the branches of a project',
    of: 'project',
    rule: policy.readCode,
    writes: false,
    anonymous: true,
    passes: done(200),
    rest: ({ project }) => ['GET', `/projects/${project}/repository/branches`],
    graphql: ({ project }) => `{ repository(project: ${text(project)}) { branches { nodes { name } } } }`,
  },
  {
    name: 'delete a branch of a project',
    of: 'project',
    rule: policy.writeCode,
    writes: true,
    passes: [404, 'NOT_FOUND', 'Branch'],
    rest: ({ project }) => ['DELETE', `/projects/${project}/repository/branches/none`],
    graphql: ({ project }) =>
      `mutation { branchDelete(input: { projectPath: ${text(project)}, name: "none" }) { errors } }`,
  },
  {
    name: 'protect a branch of a project',
    of: 'project',
    rule: policy.adminBranches,
    writes: true,
    passes: [404, 'NOT_FOUND', 'Branch'],
    rest: ({ project }) => ['PUT', `/projects/${project}/repository/branches/none/protect`],
    graphql: ({ project }) =>
      `mutation { branchProtect(input: { projectPath: ${text(project)}, name: "none" }) { errors } }`,
  },
];

/** Of a project whose repository is empty. */
const pipelines: readonly Action[] = [
  {
    name: 'list the pipelines of a project',
    of: 'project',
    rule: policy.readPipelines,
    writes: false,
    anonymous: true,
    passes: done(200),
    rest: ({ project }) => ['GET', `/projects/${project}/pipelines`],
    graphql: ({ project }) => `{ pipelines(project: ${text(project)}) { nodes { iid } } }`,
  },
  {
    name: 'list the jobs of a project',
    of: 'project',
    rule: policy.readJobs,
    writes: false,
    anonymous: true,
    passes: done(200),
    rest: ({ project }) => ['GET', `/projects/${project}/jobs`],
    graphql: ({ project }) => `{ jobs(project: ${text(project)}) { nodes { id } } }`,
  },
  {
    name: 'report a status of a commit',
    of: 'project',
    rule: policy.runPipelines,
    writes: true,
    passes: [404, 'NOT_FOUND', 'Commit'],
    rest: ({ project }) => ['POST', `/projects/${project}/statuses/main`, { state: 'success' }],
    graphql: ({ project }) =>
      `mutation { commitStatusReport(input: { projectPath: ${text(project)}, sha: "main", state: SUCCESS }) { errors } }`,
  },
  {
    name: 'list the variables of a project',
    of: 'project',
    rule: policy.adminVariables,
    writes: false,
    passes: done(200),
    rest: ({ project }) => ['GET', `/projects/${project}/variables`],
    graphql: ({ project }) => `{ projectVariables(project: ${text(project)}) { nodes { key value } } }`,
  },
  {
    name: 'set variables of a group',
    of: 'group',
    rule: policy.adminGroupVariables,
    writes: true,
    passes: invalid('key'),
    rest: ({ group }) => ['POST', `/groups/${group}/variables`, { key: '-', value: 'x' }],
    graphql: ({ group }) =>
      `mutation { groupVariableCreate(input: { groupPath: ${text(group)}, key: "-", value: "x" }) { errors } }`,
  },
  {
    name: 'delete triggers of a project',
    of: 'project',
    rule: policy.adminVariables,
    writes: true,
    passes: noRecord,
    rest: ({ project }) => ['DELETE', `/projects/${project}/triggers/0`],
    graphql: ({ project }) =>
      `mutation { pipelineTriggerDelete(input: { projectPath: ${text(project)}, id: 0 }) { errors } }`,
  },
];

const configurations: readonly Action[] = [
  {
    name: 'check the configuration of a project',
    of: 'project',
    rule: policy.readCode,
    writes: false,
    anonymous: true,
    passes: [404, 'NOT_FOUND', 'Repository'],
    rest: ({ project }) => ['GET', `/projects/${project}/ci/lint`],
    graphql: ({ project }) => `{ ciConfig(projectPath: ${text(project)}) { status } }`,
  },
  {
    name: 'check a text with the files of a project',
    of: 'project',
    rule: policy.runPipelines,
    writes: true,
    passes: done(200),
    rest: ({ project }) => ['POST', `/projects/${project}/ci/lint`, { content: 'a: {}' }],
    graphql: ({ project }) =>
      `mutation { ciLint(input: { projectPath: ${text(project)}, content: "a: {}" }) { config { status } } }`,
  },
];

const environments: readonly Action[] = [
  {
    name: 'list the environments of a project',
    of: 'project',
    rule: policy.readEnvironments,
    writes: false,
    anonymous: true,
    passes: done(200),
    rest: ({ project }) => ['GET', `/projects/${project}/environments`],
    graphql: ({ project }) => `{ environments(project: ${text(project)}) { nodes { name } } }`,
  },
  {
    name: 'make an environment',
    of: 'project',
    rule: policy.writeEnvironments,
    writes: true,
    passes: invalid('name'),
    rest: ({ project }) => ['POST', `/projects/${project}/environments`, { name: '/' }],
    graphql: ({ project }) =>
      `mutation { environmentCreate(input: { projectPath: ${text(project)}, name: "/" }) { errors } }`,
  },
  {
    name: 'list the deploy keys of a project',
    of: 'project',
    rule: policy.adminDeployKeys,
    writes: false,
    passes: done(200),
    rest: ({ project }) => ['GET', `/projects/${project}/deploy_keys`],
    graphql: ({ project }) => `{ projectDeployKeys(project: ${text(project)}) { nodes { title } } }`,
  },
  {
    name: 'add a deploy key to a project',
    of: 'project',
    rule: policy.adminDeployKeys,
    writes: true,
    passes: invalid('key'),
    rest: ({ project }) => ['POST', `/projects/${project}/deploy_keys`, { title: 'x', key: 'x' }],
    graphql: ({ project }) =>
      `mutation { deployKeyCreate(input: { projectPath: ${text(project)}, title: "x", key: "x" }) { errors } }`,
  },
];

export const actionsOfRepositories: readonly Action[] = [
  ...configurations,
  ...environments,
  ...pipelines,
  ...repositories,
];
