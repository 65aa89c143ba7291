/** What a page can say has happened, by the name that a cookie carries there. */
const notices = {
  signed_out: 'You are signed out.',
  application_saved: 'Your changes are saved.',
  application_deleted: 'The application is deleted, and every token that it had.',
  account_deleted: 'Your account is deleted, and what belonged to it is on its way out.',
  authorization_revoked: 'Revoked. The application can no longer act for you.',
  notifications_saved: 'Your notification settings are saved.',
  notifications_unchanged: 'Nothing was chosen anew, so nothing has changed.',
  error_tracking_on: 'Saved. Error tracking is on.',
  error_tracking_off: 'Saved. Error tracking is off.',
  profile_saved: 'Your profile is saved.',
} as const;

export type NoticeName = keyof typeof notices;

/** What a cookie says has happened; null for what none of ours says. */
export const noticeOf = (name: string | null): string | null =>
  name !== null && Object.hasOwn(notices, name) ? notices[name as NoticeName] : null;
