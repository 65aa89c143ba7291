import { largestInteger } from '../../../values/integers.ts';
import { runnerAccessLevels } from '../../../values/ci/runners.ts';
import { upper } from '../../engine/declared.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';

/** What is chosen of a runner, by its names on the wire. */

export const runnerAttributes: readonly Parameter[] = [
  { name: 'description', type: 'string', description: 'What people call it.' },
  { name: 'maintenance_note', type: 'string', description: 'A note for administrators.' },
  { name: 'paused', type: 'boolean', description: 'Whether it gets no jobs.' },
  { name: 'active', type: 'boolean', description: 'The opposite of `paused`.' },
  { name: 'locked', type: 'boolean', description: 'Whether no further project gets it.' },
  { name: 'run_untagged', type: 'boolean', description: 'Whether it carries out jobs without tags.' },
  { name: 'tag_list', type: 'strings', description: 'Its tags, as a list or as `a,b`.' },
  {
    name: 'access_level',
    type: 'string',
    allowed: runnerAccessLevels,
    description: 'Whether it carries out all jobs, or those of protected branches and tags.',
  },
  { name: 'maximum_timeout', type: 'integer', largest: largestInteger, description: 'In seconds, from 600 on.' },
];

/** The same as the input of an operation. */
export const runnerInput = (values: Values) => ({
  description: values.description,
  maintenanceNote: values.maintenance_note,
  paused: values.paused ?? (typeof values.active === 'boolean' ? !values.active : undefined),
  locked: values.locked,
  runUntagged: values.run_untagged,
  tagList: values.tag_list,
  accessLevel: upper(values.access_level),
  maximumTimeout: values.maximum_timeout,
});
