/** Whose picture an avatar is. */
export type AvatarOwner = 'user' | 'group' | 'project';

/** The path of an avatar. Its file name has only characters that a path may have. */
export const avatarPath = (owner: AvatarOwner, id: number, filename: string): string =>
  `/uploads/-/system/${owner}/avatar/${id}/${filename}`;
