import { InvalidFields } from '../../../errors.ts';
import { Form } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import type { NoticeName } from '../../site/layout/notices.ts';
import type { Fields, Files } from '../../site/forms/fields.ts';
import { sentences } from '../../site/words.ts';
import { Avatar, type Pictured } from './avatar.tsx';

/** The picture that a form sends; null to remove it. */
export type NewAvatar = { readonly filename: string; readonly content: string } | null;

/** What a form of a picture asks for; undefined if no file was chosen. */
export function avatarOf(form: Fields, { avatar }: Files): NewAvatar | undefined {
  if (form.remove === 'on') return null;
  return avatar && { filename: avatar.filename.toWellFormed(), content: avatar.content.toString('base64') };
}

export const nothingChosen: readonly string[] = ['Choose a picture first.'];

/** Why a picture was refused, in sentences. @throws other errors */
export function avatarMistakes(problem: unknown): readonly string[] {
  if (!(problem instanceof InvalidFields) || !problem.fields.avatar) throw problem;
  // The refusal of a format names what other servers take; the hint of the form says what this one takes.
  return sentences('The picture', problem.fields.avatar).map((text) =>
    text.startsWith('The picture file format') ? 'This isn’t a picture in one of the formats below.' : text,
  );
}

export const avatarNotice = (sent: NewAvatar): NoticeName => (sent === null ? 'picture_removed' : 'picture_saved');

interface AvatarFormProps {
  readonly site: Site;
  readonly action: string;
  readonly of: Pictured;
  readonly kind: 'user' | 'group' | 'project';
  readonly errors?: readonly string[] | undefined;
}

/** The form that sets or removes a picture. */
export function AvatarForm({ site, action, of, kind, errors = [] }: AvatarFormProps) {
  const described = `avatar-hint${errors.length > 0 ? ' avatar-error' : ''}`;
  return (
    <Form csrf={site.visitor!.csrf} action={action} files>
      <div class="picture-form">
        <Avatar of={of} kind={kind} large />
        <div class="field">
          <label>
            <span>New picture</span>
            <input
              type="file"
              name="avatar"
              accept="image/png,image/jpeg,image/gif,image/webp"
              aria-describedby={described}
              aria-invalid={errors.length > 0 ? 'true' : undefined}
            />
          </label>
          {errors.length > 0 && (
            <ul class="mistakes" id="avatar-error">
              {errors.map((error) => (
                <li>{error}</li>
              ))}
            </ul>
          )}
          <p class="hint" id="avatar-hint">
            PNG, JPEG, GIF or WebP, at most 200 KiB and 4096 pixels wide and high.
          </p>
        </div>
      </div>
      <div class="decision">
        <button class="button">Save the picture</button>
        {of.avatarUrl !== null && (
          <button class="button quiet" name="remove" value="on">
            Remove the picture
          </button>
        )}
      </div>
    </Form>
  );
}
