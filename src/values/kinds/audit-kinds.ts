/**
 * The kinds of audit events: the only list of them. Code that writes an event takes its kind from here,
 * and so does the page that shows one.
 *
 * Each act has one verb: create, update and delete a record; add and remove what belongs to another one
 * (a member, an e-mail address, a fork relation); revoke what was allowed; renew a secret in place.
 */

/**
 * The sentence that pages show for an event, or two: one if the person did it, one if someone else did it to them.
 * Names in braces are replaced by values of the event.
 */
type Sentence = string | readonly [own: string, others: string];

const list = {
  signed_in: 'You signed in.',
  sign_in_refused: 'Someone gave a wrong password for your account.',
  sign_in_throttled: 'There were too many wrong passwords for your account. Attempts were refused for a while.',
  password_confirmed: 'You confirmed your password.',
  password_updated: 'You changed your password.',
  password_reset_requested: 'Someone requested a link to reset your password.',
  password_reset_throttled:
    'There were too many requests to reset your password. No more messages were sent for a while.',
  password_reset_link_created: 'An administrator created a link to reset your password.',
  password_reset_by_link: 'You reset your password with a link.',
  password_reset: ['You reset your password.', 'An administrator reset your password.'],
  second_factor_enabled: 'You enabled two-factor authentication.',
  second_factor_disabled: [
    'You disabled two-factor authentication.',
    'An administrator disabled your two-factor authentication.',
  ],
  second_factor_confirmed: 'You confirmed your second factor.',
  second_factor_refused: 'Someone who knew your password gave a wrong code of the second factor.',
  second_factor_throttled: 'There were too many wrong codes of your second factor. Attempts were refused for a while.',
  passkey_added: 'You added the passkey {detail}.',
  passkey_removed: 'You removed the passkey {detail}.',
  passkey_refused: 'A passkey of yours was refused: its signature or its counter is wrong.',
  recovery_code_used: 'You used a recovery code in place of the second factor.',
  recovery_codes_renewed: 'You renewed your recovery codes.',
  signed_up: 'You signed up.',
  sign_up_throttled: 'There were too many attempts to sign up. Attempts were refused for a while.',
  email_added: ['You added an e-mail address.', 'An administrator added an e-mail address of yours.'],
  email_removed: ['You removed an e-mail address.', 'An administrator removed an e-mail address of yours.'],
  email_verified: ['You verified an e-mail address.', 'An e-mail address of yours was verified.'],
  primary_email_updated: [
    'You changed your primary e-mail address.',
    'An administrator changed your primary e-mail address.',
  ],
  session_ended: 'You signed out in one browser.',
  other_sessions_ended: 'You signed out of every other browser.',
  signed_out_everywhere: 'You signed out everywhere and revoked the access of all applications.',
  user_created: ['You created this account.', 'An administrator created your account.'],
  user_updated: ['You updated your account: {detail}.', 'An administrator updated your account: {detail}.'],
  user_blocked: ['You blocked your account.', 'An administrator blocked your account.'],
  user_unblocked: ['You unblocked your account.', 'An administrator unblocked your account.'],
  user_deactivated: ['You deactivated your account.', 'An administrator deactivated your account.'],
  user_activated: ['You activated your account by signing in.', 'An administrator activated your account.'],
  user_banned: ['You banned your account.', 'An administrator banned your account.'],
  user_unbanned: ['You unbanned your account.', 'An administrator unbanned your account.'],
  user_approved: ['You approved your account.', 'An administrator approved your account.'],
  user_rejected: ['You rejected your account.', 'An administrator rejected your request for an account.'],
  user_deleted: ['You deleted this account.', 'An administrator deleted your account.'],
  secrets_resealed: 'You resealed the stored secrets under the newest instance key: {detail}.',
  settings_updated: 'You updated settings of the instance: {detail}.',

  member_added: ['You joined the {detail}.', 'You were added to the {detail}.'],
  member_updated: ['You updated your membership: {detail}.', 'Your membership was updated: {detail}.'],
  member_removed: ['You left the {detail}.', 'You were removed from the {detail}.'],
  access_request_created: 'You asked for access to the {detail}.',
  access_request_withdrawn: 'You withdrew your request for access to the {detail}.',
  access_request_denied: 'Your request for access to the {detail} was denied.',
  group_created: 'You created the group {detail}.',
  group_updated: 'You updated the group {detail}.',
  group_transferred: 'You transferred the group {detail}.',
  group_deleted: 'You deleted the group {detail}.',
  group_share_added: 'You shared the group {detail}.',
  group_share_removed: 'You stopped sharing the group {detail}.',

  project_created: 'You created the project {detail}.',
  project_forked: 'You forked the project {detail}.',
  project_updated: 'You updated the project {detail}.',
  project_transferred: 'You transferred the project {detail}.',
  project_archived: 'You archived the project {detail}.',
  project_unarchived: 'You unarchived the project {detail}.',
  project_deleted: 'You deleted the project {detail}.',
  project_share_added: 'You shared the project {detail}.',
  project_share_removed: 'You stopped sharing the project {detail}.',
  project_fork_relation_added: 'You added the fork relation of the project {detail}.',
  project_fork_relation_removed: 'You removed the fork relation of the project {detail}.',

  branch_rule_created: 'You protected branches: {detail}.',
  branch_rule_updated: 'You changed how branches are protected: {detail}.',
  branch_rule_deleted: 'You stopped protecting branches: {detail}.',
  tag_rule_created: 'You protected tags: {detail}.',
  tag_rule_deleted: 'You stopped protecting tags: {detail}.',

  ci_trigger_created: 'You created a trigger of pipelines: {detail}.',
  ci_trigger_updated: 'You changed a trigger of pipelines: {detail}.',
  ci_trigger_deleted: 'You deleted a trigger of pipelines: {detail}.',

  pipeline_schedule_created: 'You made a schedule of pipelines: {detail}.',
  pipeline_schedule_updated: 'You changed a schedule of pipelines: {detail}.',
  pipeline_schedule_taken: 'You made a schedule of pipelines yours: {detail}.',
  pipeline_schedule_deleted: 'You deleted a schedule of pipelines: {detail}.',

  ci_variable_created: 'You set the variable {detail}.',
  ci_variable_updated: 'You changed the variable {detail}.',
  ci_variable_deleted: 'You deleted the variable {detail}.',

  acted_as_user: ['You acted as yourself by sudo: {detail}.', 'An administrator acted as you: {detail}.'],
  read_as_user: ['You read as yourself by sudo.', 'An administrator read as you.'],
  personal_data_exported: ['You exported your data.', 'An administrator exported your data.'],

  personal_token_created: [
    'You created the access token {detail}.',
    'An administrator created the access token {detail} for you.',
  ],
  personal_token_rotated: [
    'You rotated the access token {detail}.',
    'An administrator rotated your access token {detail}.',
  ],
  personal_token_revoked: [
    'You revoked the access token {detail}.',
    'An administrator revoked your access token {detail}.',
  ],
  personal_token_reused:
    'An access token was used after its rotation, so its successor {detail} was revoked. Two parties had the old token: find out which.',

  ssh_key_added: ['You added the SSH key {detail}.', 'An administrator added the SSH key {detail} to your account.'],
  ssh_key_removed: [
    'You removed the SSH key {detail}.',
    'An administrator removed the SSH key {detail} from your account.',
  ],

  deploy_key_added: 'You added the deploy key {detail} to a project.',
  deploy_key_updated: 'You changed the deploy key {detail} of a project.',
  deploy_key_removed: 'You took the deploy key {detail} from a project.',

  application_created: 'You created the application {application}.',
  application_updated: [
    'You updated the application {application}.',
    'An administrator updated your application {application}.',
  ],
  application_secret_renewed: [
    'You renewed the secret of the application {application}.',
    'An administrator renewed the secret of your application {application}.',
  ],
  application_deleted: ['You deleted the application {detail}.', 'An administrator deleted your application {detail}.'],

  authorization_approved: 'You authorized {application}.',
  authorization_denied: 'You denied {application} access.',
  authorization_revoked: 'You revoked the access of {application}.',
  device_approved: 'You connected a device with {application}.',
  device_denied: 'You denied a device with {application} access.',
  user_code_throttled: 'You typed too many wrong device codes. Attempts were refused for a while.',

  token_issued: '{application} got a token to act for you.',
  token_refreshed: '{application} refreshed its token to act for you.',
  token_revoked: '{application} revoked its token.',
  code_replayed: 'An authorization code of {application} was used twice, so its tokens were revoked.',
  code_refused: 'An authorization code of {application} was refused.',
  refresh_token_reused:
    'An old refresh token of {application} was used again, so all tokens of its family were revoked.',
  refresh_refused: 'A refresh token of {application} was refused.',
  password_refused: '{application} gave a wrong password for your account.',
  password_throttled: '{application} gave too many wrong passwords. Attempts were refused for a while.',
  client_refused: '{application} failed to authenticate.',
} as const satisfies Record<string, Sentence>;

export type AuditKind = keyof typeof list;
export const auditKinds: Readonly<Record<AuditKind, Sentence>> = list;

/** Whether this version knows a kind. A stored event may have one that another version of the gateway wrote. */
export const isAuditKind = (kind: string): kind is AuditKind => Object.hasOwn(list, kind);

/**
 * Old names of kinds, which releases up to 0.1 wrote, with the present name of each. Old rows are still stored, and
 * during an upgrade a process of the old release may write more.
 */
export const formerNames: Readonly<Record<string, AuditKind>> = {
  account_deleted: 'user_deleted',
  application_changed: 'application_updated',
  application_registered: 'application_created',
  group_changed: 'group_updated',
  group_made: 'group_created',
  group_removed: 'group_deleted',
  member_changed: 'member_updated',
  password_changed: 'password_updated',
  password_reset_link_made: 'password_reset_link_created',
  primary_email_changed: 'primary_email_updated',
  project_changed: 'project_updated',
  project_fork_related: 'project_fork_relation_added',
  project_fork_unrelated: 'project_fork_relation_removed',
  project_made: 'project_created',
  project_removed: 'project_deleted',
  settings_changed: 'settings_updated',
  user_changed: 'user_updated',
};

/** The present name of a stored kind. All code that reads audit events calls this. Unknown kinds stay as they are. */
export const currentKind = (stored: string): string =>
  Object.hasOwn(formerNames, stored) ? formerNames[stored]! : stored;

/** All present and old names of some kinds, for filters. */
export function storedKinds(kinds: readonly string[]): string[] {
  const current = new Set(kinds.map(currentKind));
  const former = Object.keys(formerNames).filter((name) => current.has(formerNames[name]!));
  return [...current, ...former];
}
