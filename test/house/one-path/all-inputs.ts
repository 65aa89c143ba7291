import { inputsOfEnvironments } from './code/environments.ts';
import { inputsOfJobFiles } from './code/job-files.ts';
import { inputsOfLint } from './code/lint.ts';
import { inputsOfPipelines } from './code/pipelines.ts';
import { inputsOfReferences } from './code/references.ts';
import { inputsOfRepositories } from './code/repositories.ts';
import { inputsOfRunners } from './code/runners.ts';
import { inputsOfVariables } from './code/variables.ts';
import { inputsOfActivity, inputsOfAwards, inputsOfTodos } from './planning/awards.ts';
import { inputsOfIssues } from './planning/issues.ts';
import { inputsOfLabels } from './planning/labels.ts';
import { inputsOfNotes } from './planning/notes.ts';
import { inputsOfReviewParts } from './planning/review-parts.ts';
import { inputsOfReviews } from './planning/reviews.ts';
import { inputsOfSnippets } from './planning/snippets.ts';
import { inputsOfGroups } from './groups.ts';
import { none, ofPlaces, type Inputs } from './inputs.ts';
import { inputsOfKeys } from './keys.ts';
import { inputsOfPeople } from './people.ts';
import { inputsOfProjects } from './projects.ts';
import { inputsOfSettings } from './settings.ts';

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
