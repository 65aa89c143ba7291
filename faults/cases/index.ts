import type { Fault } from '../fault.ts';
import { backendKilled } from './backend-killed.ts';
import { clockMoved } from './clock-moved.ts';
import { connectionsCut } from './connections-cut.ts';
import { diskFull, diskFullForTheLog } from './disk-full.ts';
import { passwordFlood, tokenFlood } from './floods.ts';
import { embeddedKilled } from './embedded-killed.ts';
import { gatewayKilled } from './gateway-killed.ts';
import { gitKilled } from './git-killed.ts';
import { lockHeld, poolExhausted } from './locks.ts';
import { postgresKilled, postgresRestartedFast, postgresRestartedImmediately } from './postgres-ended.ts';
import { promoted } from './promoted.ts';
import { redisGone } from './redis-gone.ts';
import { replicaLags } from './replica-lags.ts';
import { slowClients } from './slow-clients.ts';

/** Every fault, in the order of the report. */
export const faults: readonly Fault[] = [
  gatewayKilled,
  gitKilled,
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
  clockMoved,
  replicaLags,
  promoted,
  redisGone,
  slowClients,
  tokenFlood,
  passwordFlood,
];
