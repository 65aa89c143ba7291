/** Messages about a finished action (flash messages), by the name that the notice cookie carries. */
const notices = {
  signed_out: 'You are signed out.',
  sign_in_to_continue: 'Your session has ended. Nothing was changed. Sign in to continue.',
  sign_in_to_continue_kept:
    'Your session has ended. Nothing was changed. Sign in to continue: what you typed is kept, except passwords and codes.',
  sign_in_to_continue_lost:
    'Your session has ended. Nothing was changed, and what you typed can’t be kept. Sign in to continue.',
  sign_in_again: 'The sign-in has expired, or there were too many wrong codes. Sign in again.',
  password_mailed: 'If the account exists, a link to choose a new password is on its way to its e-mail address.',
  password_set: 'Your new password is set, and every session has ended. Sign in with the new password.',
  password_changed: 'Your password is changed. Every other session has ended.',
  confirmation_mailed: 'A message with the link that confirms your address is on its way. Then sign in.',
  signed_up: 'Check your mail for the link that confirms your address. Then sign in.',
  signed_up_pending:
    'Check your mail for the link that confirms your address. You can sign in once an administrator has approved your account.',
  email_added: 'The address is added.',
  email_added_and_mailed: 'The address is added. Check its mail for the link that confirms it.',
  email_mailed: 'A message with the link is on its way.',
  email_removed: 'The address is removed.',
  email_primary: 'The primary address is changed.',
  email_confirmed: 'The address is confirmed.',
  second_factor_due: 'A group that you are a member of requires two-factor authentication. Set it up to go on.',
  second_factor_soon:
    'A group that you are a member of requires two-factor authentication. Set it up soon: later, you can’t go on without it.',
  second_factor_off: 'Two-factor authentication is disabled.',
  application_registered: 'Your application is registered.',
  application_saved: 'Your changes are saved.',
  application_deleted: 'The application is deleted, with all its tokens.',
  user_created: 'The account is created.',
  user_saved: 'Your changes are saved.',
  user_password_set: 'The password is set. Sessions and authorizations made with the old one have ended.',
  user_blocked: 'Blocked. They are signed out everywhere.',
  user_unblocked: 'Unblocked. They can sign in again.',
  user_approved: 'Approved. They can sign in now.',
  user_rejected: 'Rejected. The account is removed.',
  user_banned: 'Banned. They are signed out everywhere.',
  user_unbanned: 'Unbanned. They can sign in again.',
  user_deactivated: 'Deactivated. They are signed out everywhere until they sign in again.',
  user_activated: 'Activated. They can sign in again.',
  user_deleted: 'Deleted. All data about them is removed.',
  email_verified: 'The address is verified.',
  settings_saved: 'The settings are saved and in effect.',
  account_deleted: 'Your account is deleted. Its data is removed in the background.',
  authorization_revoked: 'Revoked. The application can no longer act for you.',
  notifications_saved: 'Your notification settings are saved.',
  nothing_changed: 'No changes to save.',
  error_tracking_on: 'Saved. Error tracking is on.',
  error_tracking_off: 'Saved. Error tracking is off.',
  place_saved: 'Your changes are saved.',
  place_transferred: 'Transferred. The former address redirects here.',
  share_added: 'Shared with the group.',
  share_removed: 'The share has ended.',
  picture_saved: 'The picture is saved.',
  picture_removed: 'The picture is removed.',
  profile_saved: 'Your profile is saved.',
  status_set: 'Your status is set.',
  status_removed: 'Your status is removed.',
  token_revoked: 'The token is revoked. Requests with it are refused from now on.',
  session_ended: 'You are signed out there.',
  other_sessions_ended: 'You are signed out of every other browser.',
  signed_out_everywhere: 'You are signed out everywhere, and applications have lost their access.',
} as const;

export type NoticeName = keyof typeof notices;

/** The message for the value of a cookie; null for an unknown value. */
export const noticeOf = (name: string | null): string | null =>
  name !== null && Object.hasOwn(notices, name) ? notices[name as NoticeName] : null;
