import { maintainers, members, type Stops } from './records.ts';

/** Groups and projects, with their settings and members. */
export const placesStops: Stops = {
  missing: { at: '/demo/nothing', as: ['anonymous', 'guest'], status: 404 },
  group: { at: '/groups/demo' },
  'private-group': { at: '/groups/demo/platform', as: ['developer', ...maintainers] },
  project: { at: '/demo/storefront' },
  'error-tracking': { at: '/demo/storefront/-/settings/error_tracking', as: maintainers },
  'group-settings': { at: '/groups/demo/platform/-/edit', as: ['root'] },
  'project-settings': { at: '/demo/storefront/-/edit', as: maintainers },
  'group-members': { at: '/groups/demo/-/members', as: members },
  'project-members': { at: '/demo/storefront/-/members', as: ['root'] },
  'project-removal': { at: '/demo/storefront/-/remove', as: ['root'] },
  'group-new': { at: '/-/groups/new', as: members },
  'project-new': { at: '/-/projects/new?in=demo', as: members },
  'group-sharing': { at: '/groups/demo/platform/-/sharing', as: ['root'] },
  'project-sharing': { at: '/demo/storefront/-/sharing', as: maintainers },
  'project-transfer': { at: '/demo/storefront/-/transfer', as: ['root'] },
  'group-transfer': { at: '/groups/demo/platform/-/transfer', as: ['root'] },
  'error-tracking-wrong': {
    at: '/demo/storefront/-/settings/error_tracking',
    as: ['maintainer'],
    async steps(page) {
      await page.getByLabel('API URL of the project in the tracker').fill('ftp://tracker.example');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('must be an http or https URL').waitFor();
    },
  },
  forbidden: { at: '/demo/storefront/-/settings/error_tracking', as: ['guest'], status: 403 },
  'group-removal': { at: '/groups/demo/platform/-/remove', as: ['root'] },
};
