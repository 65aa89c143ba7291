import { page, type Connection } from '../../pages.ts';
import { Email, emailFields, type EmailData } from '../../records/email.ts';
import { NoContent } from '../../records/record.ts';
import { listRoute, route, type AnyRoute } from '../../route.ts';

const tag = 'Users';
const connection = `furtherEmails(${page.args}) { ${page.fields} nodes { ${emailFields} } }`;

interface Emails {
  readonly furtherEmails: Connection<EmailData>;
}

export const userEmailRoutes: readonly AnyRoute[] = [
  listRoute<{ currentUser: Emails }, EmailData>({
    path: '/api/v4/user/emails',
    summary: 'Your own addresses besides the primary one',
    tag,
    of: 'Email',
    parameters: [],
    operation: `query (${page.variables}) { currentUser { ${connection} } }`,
    variables: () => ({}),
    record: Email,
    connection: ({ currentUser }) => currentUser.furtherEmails,
  }),
  listRoute<{ user: Emails }, EmailData>({
    path: '/api/v4/users/:id/emails',
    summary: 'A user’s addresses besides the primary one, for administrators',
    tag,
    of: 'Email',
    parameters: [],
    operation: `query ($id: ID!, ${page.variables}) { user(id: $id) { ${connection} } }`,
    variables: ({ id }) => ({ id }),
    subject: 'User',
    record: Email,
    connection: ({ user }) => user.furtherEmails,
  }),
  route<{ addEmail: { email: EmailData } }>({
    method: 'POST',
    path: '/api/v4/users/:id/emails',
    summary: 'Add an address to a user, as an administrator',
    tag,
    parameters: [
      { name: 'email', type: 'string', required: true, notBlank: true, description: 'The address.' },
      { name: 'skip_confirmation', type: 'boolean', description: 'Takes the address for confirmed.' },
    ],
    example: { email: 'another@example.com', skip_confirmation: true },
    operation: `mutation ($input: AddEmailInput!) { addEmail(input: $input) { email { ${emailFields} } } }`,
    variables: ({ id, email, skip_confirmation: verified }) => ({ input: { userId: id, email, verified: verified === true } }),
    status: 201,
    record: { ...Email, present: ({ addEmail }) => Email.present(addEmail.email) },
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: '/api/v4/users/:id/emails/:email_id',
    summary: 'Take an address from a user, as an administrator',
    tag,
    parameters: [],
    operation: 'mutation ($input: EmailOfUserInput!) { removeEmailOfUser(input: $input) { user { id } } }',
    variables: ({ id, email_id: emailId }) => ({ input: { userId: id, emailId } }),
    status: 204,
    record: NoContent,
    dialect: 'version 4',
  }),
];
