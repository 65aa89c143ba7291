/** What a page can say has happened, by the name that a cookie carries there. */
const notices = {
  signed_out: 'You are signed out.',
  signed_in_no_more: 'Your session has ended. Nothing was changed. Sign in to go on.',
  signed_in_no_more_kept:
    'Your session has ended. Nothing was changed. Sign in to go on: what you typed is kept, except passwords and codes.',
  signed_in_no_more_lost:
    'Your session has ended. Nothing was changed, and what you typed can’t be kept. Sign in to go on.',
  sign_in_again: 'That took too long, or there were too many wrong codes. Sign in again.',
  password_mailed: 'If there is such an account, a link to choose a new password is on its way to its e-mail address.',
  password_set: 'Your new password is set, and every session has ended. Sign in with it.',
  password_changed: 'Your password is changed. Every other session has ended.',
  confirmation_mailed: 'A message with the link that confirms your address is on its way. Then sign in.',
  signed_up: 'Look into your mailbox: a message there has the link that confirms your address. Then sign in.',
  email_added: 'The address is added.',
  email_added_and_mailed: 'The address is added. Look into its mailbox: a message there has the link that confirms it.',
  email_mailed: 'A message with the link is on its way.',
  email_removed: 'The address is removed.',
  email_primary: 'The primary address is changed.',
  email_confirmed: 'The address is confirmed.',
  second_factor_off: 'The second factor is turned off.',
  application_registered: 'Your application is registered.',
  application_saved: 'Your changes are saved.',
  application_deleted: 'The application is deleted, and every token that it had.',
  user_created: 'The account is made.',
  user_saved: 'Your changes are saved.',
  user_password_set: 'The password is set. Whatever was allowed with the old one has ended.',
  user_blocked: 'Blocked. They are signed out everywhere.',
  user_unblocked: 'Unblocked. They can sign in again.',
  user_deleted: 'Deleted. What was stored of them is removed.',
  email_verified: 'The address is verified.',
  settings_saved: 'The settings are saved, and hold from now on.',
  account_deleted: 'Your account is deleted, and what belonged to it is on its way out.',
  authorization_revoked: 'Revoked. The application can no longer act for you.',
  notifications_saved: 'Your notification settings are saved.',
  notifications_unchanged: 'Nothing was chosen anew, so nothing has changed.',
  error_tracking_on: 'Saved. Error tracking is on.',
  error_tracking_off: 'Saved. Error tracking is off.',
  profile_saved: 'Your profile is saved.',
  token_revoked: 'The token is revoked. Whatever uses it is refused from now on.',
  session_ended: 'You are signed out there.',
  other_sessions_ended: 'You are signed out of every other browser.',
  signed_out_everywhere: 'You are signed out everywhere, and no application acts for you any more.',
} as const;

export type NoticeName = keyof typeof notices;

/** What a cookie says has happened; null for what none of ours says. */
export const noticeOf = (name: string | null): string | null =>
  name !== null && Object.hasOwn(notices, name) ? notices[name as NoticeName] : null;
