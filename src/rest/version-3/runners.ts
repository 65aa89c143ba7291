/**
 * The API of runners before 9.0, below `/ci/api/v1`. It is unknown, as GitLab has it; a path of the API says so to a
 * program. Not the pages of a project with such a path, below `/-/`.
 */
export const pathsOfOldRunners = /^\/ci\/api\/v1\/(?:builds|runners)\/(?!-\/)/;

/** The hint for a call of it. */
export const hintForOldRunners =
  'Runners before 9.0 are no longer served: jobs are handed out by POST /api/v4/jobs/request, and runners register by POST /api/v4/runners.';
