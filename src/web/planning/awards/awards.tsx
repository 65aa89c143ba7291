import type { CsrfTokens } from '../../site/csrf.ts';
import { Form, TextField } from '../../site/forms/forms.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import type { Award, AwardDraft } from './award.ts';

/** The emoji that are offered without typing a name. */
const usual = [
  { name: 'thumbsup', emoji: '👍' },
  { name: 'thumbsdown', emoji: '👎' },
  { name: 'tada', emoji: '🎉' },
  { name: 'heart', emoji: '❤️' },
  { name: 'rocket', emoji: '🚀' },
  { name: 'eyes', emoji: '👀' },
];

interface AwardsProps {
  readonly site: Site;
  readonly awards: readonly Award[];
  /** What they are for, in words: `the issue`. */
  readonly of: string;
  /** The address that the forms are sent to. */
  readonly action: string;
  readonly mayAward: boolean;
  /** Whether to link to the page of this address instead of showing what may be given: for many comments on a page. */
  readonly isLinked?: boolean;
  readonly draft?: AwardDraft | undefined;
}

interface Given extends Pick<Award, 'name' | 'emoji'> {
  readonly people: readonly Award['user'][];
}

/** The awards by their emoji, those first that were given first. */
function byEmoji(awards: readonly Award[]): readonly Given[] {
  const given = new Map<string, Given & { readonly people: Award['user'][] }>();
  for (const { name, emoji, user } of awards) {
    const one = given.get(name);
    if (one) one.people.push(user);
    else given.set(name, { name, emoji, people: [user] });
  }
  return [...given.values()];
}

/** The emoji of an issue or a comment, with who gave them, and forms to give and take back one's own. */
export function Awards({ site, awards, of, action, mayAward, isLinked = false, draft }: AwardsProps) {
  const given = byEmoji(awards);
  if (given.length === 0 && !mayAward) return null;
  const csrf = site.visitor?.csrf;
  return (
    <div class="awards">
      {given.map(({ name, emoji, people }) => {
        const isMine = people.some(({ username }) => username === site.visitor?.username);
        const who = people.map((person) => person.name).join(', ');
        const shown = (
          <>
            <span aria-hidden="true">{emoji}</span>
            <span class="hidden">{name.replaceAll('_', ' ')}</span> {people.length}
            <span class="hidden">
              : <bdi>{who}</bdi>
            </span>
          </>
        );
        return mayAward ? (
          <Form csrf={csrf!} action={action} carries={{ name }}>
            <button class="button quiet" title={who} aria-pressed={isMine ? 'true' : 'false'}>
              {shown}
            </button>
          </Form>
        ) : (
          <span title={who}>{shown}</span>
        );
      })}
      {mayAward &&
        (isLinked ? (
          <span class="ways">
            <a href={action}>
              React<span class="hidden"> to {of}</span>
            </a>
          </span>
        ) : (
          <details open={draft !== undefined}>
            <summary>
              React<span class="hidden"> to {of}</span>
            </summary>
            <Offered csrf={csrf!} of={of} action={action} draft={draft} />
          </details>
        ))}
    </div>
  );
}

interface OfferedProps extends Pick<AwardsProps, 'of' | 'action' | 'draft'> {
  readonly csrf: CsrfTokens;
}

/** What may be given: usual emoji, and any other by its name. */
export function Offered({ csrf, of, action, draft }: OfferedProps) {
  return (
    <>
      <div class="ways emoji">
        {usual.map(({ name, emoji }) => (
          <Form csrf={csrf} action={action} carries={{ name }}>
            <button class="button quiet">
              <span aria-hidden="true">{emoji}</span>
              <span class="hidden">
                {name} for {of}
              </span>
            </button>
          </Form>
        ))}
      </div>
      <Form csrf={csrf} action={action}>
        <TextField
          name="name"
          label="Another emoji, or its name"
          value={draft?.name ?? ''}
          errors={draft?.errors}
          required
          technical
        />
        <button class="button">
          React with it<span class="hidden"> to {of}</span>
        </button>
      </Form>
    </>
  );
}
