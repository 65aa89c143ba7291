import { cpu, p50, side, throughput, type MakeCalls, type Work } from './request.ts';
import { errorTracking, groupSettings, projectSettings, settings, tokenInfo, user } from './rest.ts';
import { refresh } from './tokens.ts';

/**
 * The gateway on large data beside the gateway on small data: the cost of a request, the throughput of the machine
 * including PostgreSQL, and the latency of a single client.
 */
function sizes(name: string, calls: MakeCalls): Work[] {
  const contenders = [side('causeway, large data', calls), side('causeway', calls)];
  return [
    { name: `${name}, on large data`, contenders, targets: [cpu('causeway', 1.1), throughput('causeway')] },
    { name: `${name}, on large data, one at a time`, contenders, connections: 1, targets: [p50('causeway', 1.1)] },
  ];
}

export const settingsSizes: readonly Work[] = [
  sizes('settings, global', settings),
  sizes('settings of a group', groupSettings),
  sizes('settings of a project', projectSettings),
  sizes('error tracking settings', errorTracking),
  sizes('the user', user),
  sizes('token information', tokenInfo),
  sizes('refresh', refresh),
].flat();

/**
 * Two processes that share a port, compared with one. Each has as many connections as the one, and all may use the same
 * cores: the difference is the cost of sharing.
 */
const workers = (name: string, calls: MakeCalls): Work => ({
  name: `${name}, with two workers`,
  contenders: [
    { ...side('causeway, two workers', calls), connections: 32 },
    side('causeway, on two cores', calls),
    { ...side('causeway, two workers', calls), name: 'causeway, two workers, half as many to each' },
  ],
  targets: [cpu('causeway, on two cores', 1.1), throughput('causeway, on two cores')],
});

export const workersWork: readonly Work[] = [workers('settings, global', settings), workers('refresh', refresh)];
