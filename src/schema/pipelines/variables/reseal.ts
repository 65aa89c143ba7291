import type { Sql } from '../../../database/index.ts';
import type { InstanceKeys } from '../../../auth/index.ts';
import { resealTable } from './sealing.ts';
import { nextSealedVariables, resealVariable } from './statements/changes.ts';

/** Seals the values of all variables under the first instance key. */
export const resealVariables = (sql: Sql, keys: InstanceKeys) =>
  resealTable(sql, keys, { next: nextSealedVariables, put: resealVariable });
