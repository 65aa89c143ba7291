import { objectSchema, type Record } from '../../engine/record.ts';

export interface ApplicationData {
  readonly id: number;
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly confidential: boolean;
}
export const applicationFields = 'id: databaseId clientId name redirectUris confidential';

const properties = {
  id: { type: 'integer' },
  application_id: { type: 'string', description: 'The `client_id`.' },
  application_name: { type: 'string' },
  callback_url: { type: 'string', description: 'Redirect URIs, one per line.' },
  confidential: { type: 'boolean' },
};

/** A registered OAuth application. */
export const Application: Record<ApplicationData> = {
  name: 'Application',
  schema: objectSchema(properties),
  present: ({ id, clientId, name, redirectUris, confidential }) => ({
    id,
    application_id: clientId,
    application_name: name,
    callback_url: redirectUris.join('\n'),
    confidential,
  }),
};

export interface NewApplicationData {
  readonly application: ApplicationData;
  readonly secret: string | null;
}

/** A new application or secret: the only record with the secret, which is null for a public application. */
export const ApplicationWithSecret: Record<NewApplicationData> = {
  name: 'ApplicationWithSecret',
  schema: objectSchema({ ...properties, secret: { type: ['string', 'null'] } }),
  present: ({ application, secret }) => ({ ...(Application.present(application) as object), secret }),
};
