/** The page where a person sets a new password by the token of a link. */
export const passwordLink = (baseUrl: string, token: string) =>
  `${baseUrl}/users/password/edit?reset_password_token=${token}`;
