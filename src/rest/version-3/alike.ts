import type { Change } from './change.ts';

/** Changes of GitLab 9.0 that are alike, and calls that several of them name. */

/** One kind of templates. */
export const templates = (name: string): Change => ({
  subject: 'Templates',
  title: `Templates are below \`/templates\`: \`${name}\``,
  since: '9.0',
  old: [`GET /${name}`, `GET /${name}/:key`],
  now: [`GET /templates/${name}`, `GET /templates/${name}/:key`],
  refused: 404,
});

/** A list that became a filter. */
export const filtered = (name: string): Change => ({
  subject: 'Projects',
  title: `The list of ${name} projects is a filter`,
  since: '9.0',
  old: [`GET /projects/${name}`],
  now: [`GET /projects?${name}=true`],
  refused: 404,
});

/** Blocking people, and its opposite. */
export const blocking = (verb: 'block' | 'unblock'): Change => ({
  subject: 'Users and to-dos',
  title: `${verb === 'block' ? 'Blocking' : 'Unblocking'} a user is a POST`,
  since: '9.0',
  old: [`PUT /users/:id/${verb}`],
  now: [`POST /users/:id/${verb}`],
  refused: 405,
});

/** An issue or merge request, and everything below it. */
export const byIid = (name: 'issues' | 'merge_requests', one: string): Change => ({
  subject: 'Issues, merge requests and milestones',
  title: `A member of \`${name}\` is addressed by its iid, the number on its page`,
  since: '9.0',
  old: [`* /projects/:id/${name}/:${one}_id`, `* /projects/:id/${name}/:${one}_id/:rest*`],
  now: [`GET /projects/:id/${name}/:${one}_iid`],
  refused: 404,
  says: `Use the same path below /api/v4, with the iid in place of the id: /api/v4/projects/:id/${name}/:${one}_iid. The same holds for award emoji, to-dos and time tracking.`,
});

/** The calls that make or change a project. */
export const oneProject = ['POST /projects', 'POST /projects/user/:user_id', 'PUT /projects/:id'];

/** The calls that write a file. */
export const writtenFile = (rest: string) =>
  ['POST', 'PUT', 'DELETE'].map((method) => `${method} /projects/:id/repository/files${rest}`);

/** The calls on one trigger. @param name what its path ends in */
export const onTrigger = (name: string) =>
  ['GET', 'PUT', 'DELETE'].map((method) => `${method} /projects/:id/triggers/${name}`);
