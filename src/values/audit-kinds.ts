/**
 * The kinds of audit events: the only list of them. Code that writes an event takes its kind from
 * here, and so does the page that shows one.
 */

/** A sentence on pages, or two: as the person did it, and as someone else did it to them. In braces stands what the event names. */
type Sentence = string | readonly [own: string, others: string];

const list = {
  signed_in: 'You signed in.',
  sign_in_refused: 'Somebody gave a wrong password for your account.',
  sign_in_throttled: 'There were too many wrong passwords for your account, and nothing more was tried for a while.',
  password_confirmed: 'You confirmed your password.',
  password_changed: 'You changed your password.',
  password_reset_requested: 'Somebody asked for a message to set your password anew.',
  password_reset_throttled:
    'There were too many requests to set passwords anew, and no more messages were sent for a while.',
  password_reset_link_made: 'An administrator made a link by which you can set your password anew.',
  password_reset_by_link: 'You set your password anew, by a link.',
  password_reset: ['You set your password anew.', 'An administrator gave you a new password.'],
  second_factor_enabled: 'You turned the second factor on.',
  second_factor_disabled: ['You turned the second factor off.', 'An administrator turned your second factor off.'],
  second_factor_confirmed: 'You confirmed your second factor.',
  second_factor_refused: 'Somebody who knew your password gave a wrong code of the second factor.',
  second_factor_throttled:
    'There were too many wrong codes of your second factor, and nothing more was tried for a while.',
  recovery_code_used: 'You used a recovery code in place of the second factor.',
  recovery_codes_renewed: 'You made new recovery codes.',
  signed_up: 'You signed up.',
  sign_up_throttled: 'There were too many tries to sign up, and nothing more was tried for a while.',
  email_added: ['You added an e-mail address.', 'An administrator added an e-mail address of yours.'],
  email_removed: ['You removed an e-mail address.', 'An administrator removed an e-mail address of yours.'],
  email_verified: ['You verified an e-mail address.', 'An e-mail address of yours was verified.'],
  primary_email_changed: [
    'You changed your primary e-mail address.',
    'An administrator changed your primary e-mail address.',
  ],
  session_ended: 'You signed out in one browser.',
  other_sessions_ended: 'You signed out of every browser but one.',
  signed_out_everywhere: 'You signed out everywhere and took back what you had allowed applications.',
  user_created: ['You made this account.', 'An administrator made your account.'],
  user_changed: ['You changed your account: {detail}.', 'An administrator changed your account: {detail}.'],
  user_blocked: ['You blocked your account.', 'An administrator blocked your account.'],
  user_unblocked: ['You unblocked your account.', 'An administrator unblocked your account.'],
  user_deleted: ['You deleted this account.', 'An administrator deleted your account.'],
  secrets_resealed: 'You put what the instance key seals under a new one: {detail}.',
  settings_changed: 'You changed settings of the instance: {detail}.',

  member_added: ['You joined the {detail}.', 'You were made a member of the {detail}.'],
  member_changed: ['You changed your membership: {detail}.', 'Your membership was changed: {detail}.'],
  member_removed: ['You left the {detail}.', 'You were removed from the {detail}.'],
  group_made: 'You made the group {detail}.',
  group_changed: 'You changed the group {detail}.',
  group_removed: 'You removed the group {detail}.',

  project_made: 'You made the project {detail}.',
  project_forked: 'You forked the project {detail}.',
  project_changed: 'You changed the project {detail}.',
  project_archived: 'You archived the project {detail}.',
  project_unarchived: 'You took the project {detail} out of the archive.',
  project_removed: 'You removed the project {detail}.',
  project_fork_related: 'You related the project {detail} to the one it was forked from.',
  project_fork_unrelated: 'You took the project {detail} apart from the one it was forked from.',

  acted_as_user: ['You acted as yourself by sudo: {detail}.', 'An administrator acted as you: {detail}.'],
  read_as_user: ['You read as yourself by sudo.', 'An administrator read as you.'],
  personal_data_exported: ['You had your data exported.', 'An administrator had your data exported.'],
  account_deleted: 'You deleted your account.',

  personal_token_created: [
    'You made the access token {detail}.',
    'An administrator made the access token {detail} for you.',
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
    'An access token that had been rotated was presented again, so {detail}, which came of it, was ended. Two parties had the old one: find out who.',

  application_registered: 'You registered the application {application}.',
  application_changed: 'You changed the application {application}.',
  application_secret_renewed: 'You renewed the secret of the application {application}.',
  application_deleted: 'You deleted the application {detail}.',

  authorization_approved: 'You authorized {application}.',
  authorization_denied: 'You refused to authorize {application}.',
  authorization_revoked: 'You took back what you had allowed {application}.',
  device_approved: 'You connected a device with {application}.',
  device_denied: 'You refused a device with {application}.',
  user_code_throttled: 'You typed too many wrong codes of devices, and nothing more was tried for a while.',

  token_issued: '{application} got a token to act for you.',
  token_refreshed: '{application} renewed its token to act for you.',
  token_revoked: '{application} gave a token back.',
  code_replayed: 'A code of {application} was used twice, so what it had brought was ended.',
  code_refused: 'A code of {application} was refused.',
  refresh_token_reused:
    'An old refresh token of {application} was presented again, so everything that came of it was ended.',
  refresh_refused: 'A refresh token of {application} was refused.',
  password_refused: '{application} gave a wrong password for your account.',
  password_throttled: '{application} gave too many wrong passwords, and nothing more was tried for a while.',
  client_refused: '{application} could not prove who it is.',
} as const satisfies Record<string, Sentence>;

export type AuditKind = keyof typeof list;
export const auditKinds: Readonly<Record<AuditKind, Sentence>> = list;

/** Stored events may have a kind that another version of the gateway wrote. */
export const isAuditKind = (kind: string): kind is AuditKind => Object.hasOwn(list, kind);
