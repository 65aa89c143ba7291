import { listRoute } from '../../engine/list-route.ts';
import { Email, emailFields, type EmailData } from './record.ts';
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

export const userEmailRoutes: readonly AnyRoute[] = [
  listRoute({
    ...furtherEmails,
    path: '/api/v4/user/emails',
    summary: 'List your secondary email addresses',
    within: { field: 'currentUser' },
    variables: () => ({}),
    person: 401,
  }),
  listRoute({
    ...furtherEmails,
    path: '/api/v4/users/:id/emails',
    summary: 'List a user’s secondary email addresses (administrators only)',
    within: { field: 'user', args: { id: 'UserID!' } },
    variables: ({ id }) => ({ id }),
    person: 403,
    subject: 'User',
  }),
  route<{ addEmail: { email: EmailData } }>({
    method: 'POST',
    path: '/api/v4/users/:id/emails',
    summary: 'Add an email address to a user (administrators only)',
    tag,
    parameters: [
      { name: 'email', type: 'string', required: true, notBlank: true, description: 'Email address.' },
      { name: 'skip_confirmation', type: 'boolean', description: 'Treat the address as confirmed.' },
    ],
    example: { email: 'another@example.com', skip_confirmation: true },
    operation: `mutation ($input: AddEmailInput!) { addEmail(input: $input) { email { ${emailFields} } } }`,
    variables: ({ id, email, skip_confirmation: verified }) => ({
      input: { userId: id, email, verified: verified === true },
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
    variables: ({ id, email_id: emailId }) => ({ input: { userId: id, emailId } }),
    status: 204,
    record: NoContent,
    dialect: 'version 4',
  }),
];
