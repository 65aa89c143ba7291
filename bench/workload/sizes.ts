import { cpu, p50, side, type MakeCalls, type Work } from './request.ts';
import { errorTracking, groupSettings, projectSettings, settings, tokenInfo, user } from './rest.ts';
import { refresh } from './tokens.ts';

/** The gateway on large data beside the gateway on small data. */
const sizes = (name: string, calls: MakeCalls): Work => ({
  name: `${name}, on large data`,
  contenders: [side('causeway, large data', calls), side('causeway', calls)],
  targets: [cpu('causeway', 1.1), p50('causeway', 1.1)],
});

export const sizeWork: readonly Work[] = [
  sizes('settings, global', settings),
  sizes('settings of a group', groupSettings),
  sizes('settings of a project', projectSettings),
  sizes('error tracking settings', errorTracking),
  sizes('the user', user),
  sizes('token information', tokenInfo),
  sizes('refresh', refresh),
];

/** Two processes that share a port beside one. */
export const workersWork: readonly Work[] = [
  {
    name: 'settings, global, with two workers',
    contenders: [side('causeway, two workers', settings), side('causeway', settings)],
    targets: [cpu('causeway', 1.1), { of: 'throughput', against: 'causeway' }],
  },
  {
    name: 'refresh, with two workers',
    contenders: [side('causeway, two workers', refresh), side('causeway', refresh)],
    targets: [cpu('causeway', 1.1), { of: 'throughput', against: 'causeway' }],
  },
];
