import { findClient } from '../../statements/clients.ts';
import { toClient } from '../../client.ts';
import { missingParameter, unknownClient } from '../../errors.ts';
import type { Check } from '../request.ts';

/** R1: the client is a registered application. */
export const checkClient: Check = async ({ engine, parameters, draft }) => {
  if (!parameters.clientId) throw missingParameter('client_id');
  const [row] = await engine.sql.rows(findClient, [parameters.clientId]);
  if (!row) throw unknownClient();
  draft.client = toClient(row);
};
