/** What a page can say has happened, by the name that a cookie carries there. */
const notices = {
  signed_out: 'You are signed out.',
  application_saved: 'Your changes are saved.',
  application_deleted: 'The application is deleted, and every token that it had.',
  user_created: 'The account is made.',
  user_saved: 'Your changes are saved.',
  user_password_set: 'The password is set. Whatever was allowed with the old one has ended.',
  user_blocked: 'Blocked. They are signed out everywhere.',
  user_unblocked: 'Unblocked. They can sign in again.',
  user_deleted: 'Deleted. What was stored of them is removed.',
  email_added: 'The address is added.',
  email_verified: 'The address is verified.',
  email_removed: 'The address is removed.',
  settings_saved: 'The settings are saved, and hold from now on.',
  account_deleted: 'Your account is deleted, and what belonged to it is on its way out.',
  authorization_revoked: 'Revoked. The application can no longer act for you.',
} as const;

export type NoticeName = keyof typeof notices;

/** What a cookie says has happened; null for what none of ours says. */
export const noticeOf = (name: string | null): string | null =>
  name !== null && Object.hasOwn(notices, name) ? notices[name as NoticeName] : null;
