import type { Condition } from '../../../src/policy/index.ts';

/** The places that an action is about, by their ids. */
export interface Ids {
  readonly group: string;
  readonly project: string;
  /** Created again for each request, since the request may delete it. */
  readonly victim: string;
}

/** What it is about: the subject that is missing, or the first field that is wrong. */
export type Answered = readonly [status: number, code: string | undefined, about?: string | undefined];

export interface Action {
  readonly name: string;
  readonly rule: Condition;
  readonly writes: boolean;
  /** Whether no credential is needed. */
  readonly anonymous?: true;
  readonly rest: (ids: Ids) => readonly [method: string, path: string, values?: object];
  readonly graphql: (ids: Ids) => string;
  /** How it goes on for those who may: most requests are made so that nothing changes. */
  readonly passes: Answered;
  /** The error for those who see the place, and for those who don't, where it isn't the usual one. */
  readonly refused?: Answered;
  readonly hidden?: Answered;
  readonly destroys?: true;
  readonly of: 'group' | 'project';
}

export const text = (value: string) => JSON.stringify(value);
export const done = (status: number): Answered => [status, undefined];
export const invalid = (field: string): Answered => [400, 'INVALID_INPUT', field];
export const noUser: Answered = [404, 'NOT_FOUND', 'User'];
export const noRecord: Answered = [404, 'NOT_FOUND', 'record'];
