import type { Input, Inputs } from '../inputs.ts';

/**
 * The inputs for the routes of branches, tags and their protection. `demo/storefront` has the branches `main` and `x`, the tag
 * `v1`, the rule `main` for branches and `stable-*` for tags; `hidden/project` is empty.
 */

const projects = ['demo/storefront', 'hidden/project', 'nothing/here'];

const of = (path: Input['path'], ...all: Input['values'][]): Input[] =>
  projects.flatMap((id) => all.map((values) => ({ id, values, ...(path && { path }) })));

const one = (parameter: string, names: readonly string[], ...all: Input['values'][]): Input[] =>
  names.flatMap((name) => of({ [parameter]: name }, ...all));

const repository = '/api/v4/projects/:id/repository';
const rules = '/api/v4/projects/:id/protected_branches';
const tagRules = '/api/v4/projects/:id/protected_tags';

function ofBranches(): Inputs {
  const path = `${repository}/branches`;
  return {
    [`GET ${path}`]: {
      readable: of(
        undefined,
        {},
        { search: '^m', sort: 'updated_desc', per_page: '1' },
        { regex: 'x|y', pagination: 'keyset', per_page: '1', page_token: 'main' },
        { regex: '(' },
      ),
      unreadable: of(undefined, { sort: 'sideways' }),
    },
    [`GET ${path}/:branch`]: { readable: one('branch', ['main', 'x', 'none', 'bad name'], {}) },
    [`POST ${path}`]: {
      readable: of(
        undefined,
        { branch: 'main', ref: 'none' },
        { branch: 'bad name', ref: 'main' },
        { branch: 'y', ref: 'none' },
        { branch: 'y', ref: 'main' },
      ),
      unreadable: of(undefined, {}),
    },
    [`DELETE ${path}/:branch`]: { readable: one('branch', ['main', 'x', 'none', 'bad name'], {}) },
    [`DELETE ${repository}/merged_branches`]: { readable: of(undefined, {}) },
    'POST /api/v4/projects/:id/housekeeping': {
      readable: of(undefined, {}, { task: 'prune' }),
      unreadable: of(undefined, { task: 'all' }),
    },
    [`PUT ${path}/:branch/protect`]: {
      readable: one('branch', ['main', 'x', 'none'], {}, { developers_can_push: true, developers_can_merge: 'no' }),
      unreadable: one('branch', ['main'], { developers_can_push: 'perhaps' }),
    },
    [`PUT ${path}/:branch/unprotect`]: { readable: one('branch', ['main', 'x', 'none', 'bad name'], {}) },
  };
}

const ofRules = (): Inputs => ({
  [`GET ${rules}`]: { readable: of(undefined, {}, { search: 'M' }) },
  [`GET ${rules}/:name`]: { readable: one('name', ['main', 'none'], {}) },
  [`POST ${rules}`]: {
    readable: of(
      undefined,
      { name: 'stable-*' },
      { name: 'x', push_access_level: 0, merge_access_level: '30', allow_force_push: 'true' },
      { name: 'main' },
      { name: ' ' },
    ),
    unreadable: of(undefined, {}, { name: 'x', push_access_level: 50 }),
  },
  [`PATCH ${rules}/:name`]: {
    readable: one('name', ['main', 'none'], { allow_force_push: true }, {}),
    unreadable: one('name', ['main'], { allow_force_push: 'perhaps' }),
  },
  [`DELETE ${rules}/:name`]: { readable: one('name', ['main', 'none'], {}) },
});

const ofTagRules = (): Inputs => ({
  [`GET ${tagRules}`]: { readable: of(undefined, {}) },
  [`GET ${tagRules}/:name`]: { readable: one('name', ['stable-*', 'stable-1', 'none'], {}) },
  [`POST ${tagRules}`]: {
    readable: of(undefined, { name: 'v*', create_access_level: '0' }, { name: 'stable-*' }, { name: ' ' }),
    unreadable: of(undefined, {}, { name: 'v*', create_access_level: 50 }),
  },
  [`DELETE ${tagRules}/:name`]: { readable: one('name', ['stable-*', 'none'], {}) },
});

function ofTags(): Inputs {
  const path = `${repository}/tags`;
  return {
    [`GET ${path}`]: {
      readable: of(undefined, {}, { order_by: 'version', sort: 'asc', search: '1$' }, { pagination: 'keyset' }),
      unreadable: of(undefined, { order_by: 'size' }),
    },
    [`GET ${path}/:tag_name`]: { readable: one('tag_name', ['v1', 'none', 'bad name'], {}) },
    [`POST ${path}`]: {
      readable: of(
        undefined,
        { tag_name: 'v1', ref: 'main' },
        { tag_name: 'bad name', ref: 'main' },
        { tag_name: 'v2', ref: 'none', message: 'Said' },
        { tag_name: 'v2', ref: 'main', message: 'Said' },
        { tag_name: 'v3', ref: 'x' },
      ),
      unreadable: of(undefined, {}),
    },
    [`DELETE ${path}/:tag_name`]: { readable: one('tag_name', ['v1', 'none'], {}) },
  };
}

export const inputsOfReferences = (): Inputs => ({
  ...ofBranches(),
  ...ofRules(),
  ...ofTags(),
  ...ofTagRules(),
});
