import type { InstanceKeys } from '../../../auth/index.ts';
import { openSecret, sealSecret } from '../variables/sealing.ts';

/** Values of variables that people give pipelines and jobs: sealed under the instance key, each bound to its row. */

const ofPipeline = (id: number, key: string) => `ci_pipeline_variable:${id}:${key}`;
const ofJob = (id: number, key: string) => `ci_job_variable:${id}:${key}`;

export const sealForPipeline = (keys: InstanceKeys, id: number, key: string, value: string): Buffer =>
  sealSecret(keys, ofPipeline(id, key), value);

/** The value; null if no instance key opens it. */
export const openOfPipeline = (keys: InstanceKeys, id: number, key: string, sealed: Buffer): string | null =>
  openSecret(keys, ofPipeline(id, key), sealed);

export const sealForJob = (keys: InstanceKeys, id: number, key: string, value: string): Buffer =>
  sealSecret(keys, ofJob(id, key), value);

/** The value; null if no instance key opens it. */
export const openOfJob = (keys: InstanceKeys, id: number, key: string, sealed: Buffer): string | null =>
  openSecret(keys, ofJob(id, key), sealed);
