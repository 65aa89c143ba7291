import { GraphQLError } from 'graphql';
import { builder } from '../../engine/builder.ts';
import type { Problems } from '../../engine/input.ts';
import { pictureIn, type Picture, type SentPicture } from './picture.ts';

builder.scalarType('Base64', {
  description: 'Bytes in base64 (RFC 4648 §4).',
  serialize: (value) => value.toString('base64'),
  parseValue(value) {
    if (typeof value !== 'string' || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
      throw new GraphQLError('Base64 is a string of letters, digits, `+` and `/`, padded with `=`.');
    return Buffer.from(value, 'base64');
  },
});

/** The picture of a person, a group or a project, in an input. */
export const AvatarInput = builder.inputType('AvatarInput', {
  description: 'A picture: PNG, JPEG, GIF or WebP, of at most 200 KiB and 4096 pixels in width and height.',
  fields: (t) => ({
    filename: t.string({ required: true, description: 'The address of the picture ends in it.' }),
    content: t.field({ type: 'Base64', required: true }),
  }),
});

/** Options of the field `avatar` of an input. */
export const avatarOptions = { type: AvatarInput, description: 'Null removes the picture.' } as const;

/**
 * Adds why the picture is refused.
 * @returns what to store; null to remove the picture, undefined to keep it
 */
export function checkAvatar(problems: Problems, given: SentPicture | null | undefined): Picture | null | undefined {
  if (given == null) return given;
  const found = pictureIn(given);
  if (typeof found !== 'string') return found;
  problems.add('avatar', [found]);
  return undefined;
}
