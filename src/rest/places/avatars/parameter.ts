import { SentFile } from '../../../http/index.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';

/** The picture of a user, a group or a project, as a file of a multipart form; empty to remove it. */
export const avatarParameter: Parameter = {
  name: 'avatar',
  type: 'file',
  description: 'Picture: a PNG, JPEG, GIF or WebP file of at most 200 KiB and 4096 pixels, or empty to remove it.',
};

/** The input for a sent picture: null removes it, and undefined changes nothing. */
export const avatarInput = ({ avatar }: Values) => ({
  avatar:
    avatar instanceof SentFile
      ? { filename: avatar.filename.toWellFormed(), content: avatar.content.toString('base64') }
      : avatar,
});
