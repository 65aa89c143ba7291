import type { Values } from '../../engine/parameters.ts';
import { recordOf, type Record as WireRecord } from '../../engine/record.ts';
import { MergeRequest, type MergeRequestData } from './record.ts';

/** What every route that acts on a merge request has in common. */

/** The text of a missing merge request where version 4 doesn't name it. */
export const notFound = { MergeRequest: '404 Not found' };

/** The input that names a merge request. */
export const nameOf = ({ id, merge_request_iid: iid }: Values) => ({ projectPath: id, iid });

export type Payload<Field extends string> = { readonly [F in Field]: { readonly mergeRequest: MergeRequestData } };

export const mergeRequestIn = <Field extends string>(field: Field): WireRecord<Payload<Field>> =>
  recordOf(MergeRequest, (data) => data[field].mergeRequest);
