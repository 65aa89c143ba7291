import { userPreferences } from '../../../values/attributes/user-attributes.ts';
import {
  attributeInput,
  attributeParameters,
  attributeSchemas,
  attributeSelection,
  presentAttributes,
} from '../../engine/attributes.ts';
import { objectSchema, recordOf, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

/** Preferences that people change themselves. */

const parameters = attributeParameters(userPreferences);
const present = presentAttributes(userPreferences);
const selection = `id: userDatabaseId ${attributeSelection(userPreferences)}`;

interface PreferencesData {
  readonly id: number;
}

const Preferences: Record<PreferencesData> = {
  name: 'UserPreferences',
  schema: objectSchema({
    id: { type: 'integer', description: 'That of the user.' },
    user_id: { type: 'integer' },
    ...attributeSchemas(userPreferences),
  }),
  present: (data) => present({ id: data.id, user_id: data.id }, data),
};

export const preferenceRoutes: readonly AnyRoute[] = [
  route<{ currentUser: { userPreferences: PreferencesData } }>({
    method: 'GET',
    path: '/api/v4/user/preferences',
    summary: 'Get your preferences',
    tag: 'Users',
    parameters: [],
    operation: `query { currentUser { userPreferences { ${selection} } } }`,
    variables: () => ({}),
    person: 401,
    record: recordOf(Preferences, ({ currentUser }) => currentUser.userPreferences),
    dialect: 'version 4',
  }),
  route<{ userPreferencesUpdate: { userPreferences: PreferencesData } }>({
    method: 'PUT',
    path: '/api/v4/user/preferences',
    summary: 'Change your preferences',
    tag: 'Users',
    parameters: [...parameters, { rule: 'at least one', of: parameters.map(({ name }) => name) }],
    example: { view_diffs_file_by_file: true },
    operation: `mutation ($input: UserPreferencesUpdateInput!) {
      userPreferencesUpdate(input: $input) { userPreferences { ${selection} } }
    }`,
    variables: (values) => ({ input: attributeInput(userPreferences, values) }),
    record: recordOf(Preferences, ({ userPreferencesUpdate }) => userPreferencesUpdate.userPreferences),
    dialect: 'version 4',
  }),
];
