import { tooLong } from '../../../values/text/lengths.ts';
import { environmentActions, type PlannedEnvironment } from '../../plan.ts';
import { isMapping } from '../yaml/values.ts';
import { Fields } from './fields.ts';

const keys = new Set(['name', 'url', 'on_stop', 'action', 'deployment_tier', 'auto_stop_in', 'kubernetes']);
const tiers = ['production', 'staging', 'testing', 'development', 'other'] as const;
const namePattern = /^[\w\-/${}. ]{1,255}$/;

function readName(name: string | undefined, fields: Fields): string | undefined {
  if (!name) return fields.refuse('name', "can't be blank");
  if (!namePattern.test(name) || name.startsWith('/') || name.endsWith('/'))
    return fields.refuse(
      'name',
      "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
    );
  return name;
}

export function readEnvironment(job: Fields): PlannedEnvironment | undefined {
  const value = job.get('environment');
  if (value === undefined) return undefined;
  const text = job.mapping.get('environment');
  if (typeof text === 'string') {
    const name = readName(text, new Fields(job.mapping, `${job.where}:environment`, job.report));
    return name === undefined ? undefined : { name, action: 'start' };
  }
  if (!isMapping(value)) return job.refuseEntry('environment', 'should be a hash or a string');
  const fields = new Fields(value, `${job.where}:environment`, job.report);
  fields.allow(keys);
  if (fields.has('kubernetes'))
    fields.report.warn(`${fields.where}:kubernetes has no effect here`, fields.placeOf('kubernetes'));
  const name = readName(fields.string('name'), fields);
  const action = fields.get('action') ?? 'start';
  if (!environmentActions.includes(action as (typeof environmentActions)[number]))
    return fields.refuse('action', 'should be start, stop, prepare, verify, or access');
  const tier = fields.get('deployment_tier');
  if (tier !== undefined && !tiers.includes(tier as (typeof tiers)[number]))
    return fields.refuse('deployment_tier', `must be one of ${tiers.join(', ')}`);
  const url = fields.string('url');
  if (url !== undefined && url.length > 255) fields.refuse('url', tooLong(255));
  const onStop = fields.string('on_stop');
  const autoStopIn = fields.get('auto_stop_in') === 'never' ? 'never' : fields.duration('auto_stop_in');
  if (name === undefined) return undefined;
  return {
    name,
    ...(url !== undefined && { url }),
    action: action as PlannedEnvironment['action'],
    ...(onStop !== undefined && { onStop }),
    ...(tier !== undefined && { tier: tier as string }),
    ...(autoStopIn !== undefined && { autoStopIn }),
  };
}
