import { listRoute } from '../../engine/list-route.ts';
import { Email, emailFields, type EmailData } from './record.ts';
import { ParameterProblems } from '../../engine/errors.ts';
import type { Values } from '../../engine/parameters.ts';
import { NoContent } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

const tag = 'Users';
const furtherEmails = {
  tag,
  of: 'Email',
  parameters: [],
  field: 'furtherEmails',
  selection: emailFields,
  record: Email,
} as const;

/** @throws ParameterProblems for an id that isn't a number */
function emailId({ email_id: id }: Values): Values[string] {
  if (!/^\d+$/.test(String(id))) throw new ParameterProblems(['email_id is invalid']);
  return id;
}

export const userEmailRoutes: readonly AnyRoute[] = [
  listRoute({
    ...furtherEmails,
    path: '/api/v4/user/emails',
    summary: 'List your secondary email addresses',
    within: { field: 'currentUser' },
    variables: () => ({}),
    person: 401,
  }),
  route<{ currentUser: { furtherEmail: EmailData } }>({
    method: 'GET',
    path: '/api/v4/user/emails/:email_id',
    summary: 'Get one of your secondary email addresses',
    tag,
    parameters: [],
    operation: `query ($id: ID!) { currentUser { furtherEmail(id: $id) { ${emailFields} } } }`,
    variables: (values) => ({ id: emailId(values) }),
    person: 401,
    record: { ...Email, present: ({ currentUser }) => Email.present(currentUser.furtherEmail) },
    dialect: 'version 4',
  }),
  route<{ addOwnEmail: { email: EmailData } }>({
    method: 'POST',
    path: '/api/v4/user/emails',
    summary: 'Add an email address of your own, and get a message that confirms it',
    tag,
    parameters: [{ name: 'email', type: 'string', required: true, description: 'Email address.' }],
    example: { email: 'another@example.com' },
    operation: `mutation ($input: AddOwnEmailInput!) { addOwnEmail(input: $input) { email { ${emailFields} } } }`,
    variables: ({ email }) => ({ input: { address: email ?? '' } }),
    status: 201,
    fields: { address: 'email' },
    record: { ...Email, present: ({ addOwnEmail }) => Email.present(addOwnEmail.email) },
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: '/api/v4/user/emails/:email_id',
    summary: 'Remove an email address of your own',
    tag,
    parameters: [],
    operation: 'mutation ($input: OwnEmailInput!) { removeOwnEmail(input: $input) { user { username } } }',
    variables: (values) => ({ input: { emailId: emailId(values) } }),
    status: 204,
    record: NoContent,
    dialect: 'version 4',
  }),
  listRoute({
    ...furtherEmails,
    path: '/api/v4/users/:id/emails',
    summary: 'List a user’s secondary email addresses (administrators only)',
    field: 'furtherEmailsOfUser',
    args: { userId: 'ID!' },
    variables: ({ id }) => ({ userId: id }),
    person: 403,
    subject: 'User',
  }),
  route<{ addEmail: { email: EmailData } }>({
    method: 'POST',
    path: '/api/v4/users/:id/emails',
    summary: 'Add an email address to a user (administrators only)',
    tag,
    parameters: [
      { name: 'email', type: 'string', required: true, description: 'Email address.' },
      { name: 'skip_confirmation', type: 'boolean', description: 'Treat the address as confirmed.' },
    ],
    example: { email: 'another@example.com', skip_confirmation: true },
    operation: `mutation ($input: AddEmailInput!) { addEmail(input: $input) { email { ${emailFields} } } }`,
    variables: ({ id, email, skip_confirmation: verified }) => ({
      input: { userId: id, email: email ?? '', verified: verified === true },
    }),
    status: 201,
    record: { ...Email, present: ({ addEmail }) => Email.present(addEmail.email) },
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: '/api/v4/users/:id/emails/:email_id',
    summary: 'Remove an email address from a user (administrators only)',
    tag,
    parameters: [],
    operation: 'mutation ($input: EmailOfUserInput!) { removeEmailOfUser(input: $input) { user { username } } }',
    variables: (values) => ({ input: { userId: values.id, emailId: emailId(values) } }),
    status: 204,
    record: NoContent,
    dialect: 'version 4',
  }),
];
