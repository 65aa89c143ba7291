/** What a page can say has happened, by the name that a cookie carries there. */
const notices = {
  signed_out: 'You are signed out.',
  application_saved: 'Your changes are saved.',
  application_deleted: 'The application is deleted, and every token that it had.',
  account_deleted: 'Your account is deleted, and what belonged to it is on its way out.',
  authorization_revoked: 'Revoked. The application can no longer act for you.',
  token_revoked: 'The token is revoked. Whatever uses it is refused from now on.',
  session_ended: 'You are signed out there.',
  other_sessions_ended: 'You are signed out of every other browser.',
  signed_out_everywhere: 'You are signed out everywhere, and no application acts for you any more.',
} as const;

export type NoticeName = keyof typeof notices;

/** What a cookie says has happened; null for what none of ours says. */
export const noticeOf = (name: string | null): string | null =>
  name !== null && Object.hasOwn(notices, name) ? notices[name as NoticeName] : null;
