import type { Fault } from '../fault.ts';
import { backedUp } from './backed-up.ts';
import { backendKilled } from './backend-killed.ts';
import { clockMoved, clockMovedByADay } from './clock-moved.ts';
import { connectionsCut } from './connections-cut.ts';
import { diskFull, diskFullForTheLog } from './disk-full.ts';
import { passwordFlood, tokenFlood } from './floods.ts';
import { embeddedKilled } from './embedded-killed.ts';
import { gatewayKilled } from './gateway-killed.ts';
import { allKilled, gitKilled } from './git-killed.ts';
import { helpersKilled } from './helpers-killed.ts';
import { lockHeld, poolExhausted } from './locks.ts';
import { postgresKilled, postgresRestartedFast, postgresRestartedImmediately } from './postgres-ended.ts';
import { postgresKilledWhileMailing } from './mails-under-way.ts';
import { promoted } from './promoted.ts';
import { redisGone } from './redis-gone.ts';
import { replicaLags } from './replica-lags.ts';
import { repositoryDiskFull } from './repository-disk-full.ts';
import { slowClients } from './slow-clients.ts';
import { smtpGone } from './smtp-gone.ts';
import { twoVersions, upgraded } from './upgraded.ts';

/** Every fault, in the order of the report. */
export const faults: readonly Fault[] = [
  gatewayKilled,
  gitKilled,
  allKilled,
  helpersKilled,
  postgresKilled,
  backendKilled,
  postgresRestartedFast,
  postgresRestartedImmediately,
  connectionsCut,
  poolExhausted,
  lockHeld,
  embeddedKilled,
  diskFull,
  diskFullForTheLog,
  repositoryDiskFull,
  clockMoved,
  clockMovedByADay,
  replicaLags,
  promoted,
  redisGone,
  smtpGone,
  postgresKilledWhileMailing,
  backedUp,
  upgraded,
  twoVersions,
  slowClients,
  tokenFlood,
  passwordFlood,
];
