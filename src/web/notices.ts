/** What a page can say has happened, by the name that a cookie carries there. */
export const notices = {
  signed_out: 'You are signed out.',
  application_saved: 'Your changes are saved.',
  application_deleted: 'The application is deleted, and every token that it had.',
  authorization_revoked: 'Revoked. The application can no longer act for you.',
} as const;

export type NoticeName = keyof typeof notices;
