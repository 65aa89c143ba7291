import { inputsOfActivity, inputsOfAwards, inputsOfTodos } from './inputs-of-awards.ts';
import { inputsOfLabels } from './inputs-of-labels.ts';
import { inputsOfLint } from './inputs-of-lint.ts';
import { inputsOfNotes } from './inputs-of-notes.ts';
import { inputsOfReviewParts } from './inputs-of-review-parts.ts';
import { inputsOfSnippets } from './inputs-of-snippets.ts';
import { inputsOfEnvironments } from './inputs-of-environments.ts';
import { inputsOfJobFiles } from './inputs-of-job-files.ts';
import { inputsOfPipelines } from './inputs-of-pipelines.ts';
import { inputsOfRepositories } from './inputs-of-repositories.ts';
import { inputsOfRunners } from './inputs-of-runners.ts';
import { inputsOfVariables } from './inputs-of-variables.ts';
import { inputsOfKeys } from './inputs-of-keys.ts';
import { inputsOfReviews } from './inputs-of-reviews.ts';
import { inputsOfReferences } from './inputs-of-references.ts';
import { inputsOfIssues } from './inputs-of-issues.ts';
import { inputsOfGroups } from './inputs-of-groups.ts';
import { inputsOfPeople } from './inputs-of-people.ts';
import { inputsOfProjects } from './inputs-of-projects.ts';
import { inputsOfSettings } from './inputs-of-settings.ts';
import { none, ofPlaces, type Inputs } from './inputs.ts';

/** The inputs for each route. */
export const inputs: Inputs = {
  ...inputsOfSettings(),
  ...inputsOfProjects(),
  ...inputsOfGroups(),
  ...inputsOfIssues(),
  ...inputsOfNotes(),
  ...inputsOfReviewParts(),
  ...inputsOfAwards(),
  ...inputsOfTodos(),
  ...inputsOfActivity(),
  ...inputsOfLabels(),
  ...inputsOfReviews(),
  ...inputsOfRepositories(),
  ...inputsOfLint(),
  ...inputsOfPipelines(),
  ...inputsOfJobFiles(),
  ...inputsOfVariables(),
  ...inputsOfEnvironments(),
  ...inputsOfRunners(),
  ...inputsOfSnippets(),
  ...inputsOfKeys,
  ...inputsOfReferences(),
  'POST /api/v4/markdown': {
    readable: [
      { text: 'See **#1** ~bug' },
      { text: '#1 by @guest', project: 'demo/storefront', gfm: true },
      { text: '#4', project: 'hidden/project' },
    ].map((values) => ({ values })),
    unreadable: [{ values: {} }],
  },
  'GET /api/v4/templates/licenses': {
    readable: [{}, { popular: 'true', per_page: '2' }, { popular: 'no', page: '2' }].map((values) => ({ values })),
  },
  'GET /api/v4/templates/licenses/:name': {
    readable: ofPlaces(
      ['mit', 'GPL-3.0', 'none'],
      [{}, { fullname: 'Ann', project: 'Shop' }, { fullname: '', project: 'x'.repeat(256) }],
    ),
  },
  'GET /api/v4/templates/gitignores': { readable: [{ values: {} }, { values: { page: '2', per_page: '100' } }] },
  'GET /api/v4/templates/gitignores/:name': { readable: ofPlaces(['Node', 'c++', 'none'], [{}]) },
  'GET /api/v4/templates/gitlab_ci_ymls': { readable: none },
  'GET /api/v4/templates/gitlab_ci_ymls/:name': { readable: ofPlaces(['Go', 'none'], [{}]) },
  'GET /api/v4/templates/dockerfiles': { readable: none },
  'GET /api/v4/templates/dockerfiles/:name': { readable: ofPlaces(['Node', 'none'], [{}]) },
  ...inputsOfPeople(),
  'GET /api/v4/version': { readable: none },
  'GET /api/v4/metadata': { readable: none },
  'GET /oauth/token/info': { readable: none },
  'GET /.well-known/oauth-authorization-server': { readable: none },
};
