import { daysAhead } from '../../values/time/calendar.ts';
import { tokensPath } from '../access/personal-access-tokens/view.tsx';
import { emailsPath } from '../accounts/emails/view.tsx';
import { Day } from '../site/records/day.tsx';
import { secondFactorPath } from '../site/return-to.ts';

/** What decides which advice a person gets. */
export interface Standing {
  /** Addresses that aren’t confirmed yet. */
  readonly unverified: readonly string[];
  /** Whether the gateway sends mail. */
  readonly mail: boolean;
  /** Null: two-factor authentication is off. */
  readonly secondFactor: { readonly recoveryCodesLeft: number } | null;
  /** Valid tokens that end within `soonInDays`, the first to end first. */
  readonly expiring: readonly { readonly id: number; readonly name: string; readonly expiresAt: string }[];
  readonly reviews: Work;
  readonly todos: Work;
  /** The number of open issues that are assigned to the person. */
  readonly issues: number;
}

interface Work {
  readonly count: number;
  readonly nodes: readonly { readonly title: string; readonly reference: string; readonly path: string }[];
}

/** Tokens that end within this many days need a look. */
export const soonInDays = 7;
const fewCodes = 3;

/** What waits for a person: first what keeps their account working, then what others ask of them. */
export function NextSteps({ standing }: { readonly standing: Standing }) {
  const { unverified, mail, secondFactor, expiring, reviews, todos, issues } = standing;
  return (
    <section aria-labelledby="next">
      <h2 id="next">What to do next</h2>
      {unverified.map((address) => (
        <p class="warning">
          <b>{address}</b> isn’t confirmed yet, so nothing is sent there.{' '}
          {mail ? (
            <a href={emailsPath}>Confirm it</a>
          ) : (
            'This gateway sends no mail: an administrator can confirm it for you.'
          )}
        </p>
      ))}
      <ul class="records next">
        {expiring.map(({ id, name, expiresAt }) => (
          <li>
            <a href={`${tokensPath}/${id}/rotate`}>
              Renew <bdi>{name}</bdi>
            </a>
            <p>
              The token{' '}
              {expiresAt < daysAhead(1) ? (
                'expires today'
              ) : (
                <>
                  expires on <Day at={expiresAt} />
                </>
              )}
              .
            </p>
          </li>
        ))}
        {secondFactor === null && (
          <li>
            <a href={secondFactorPath}>Turn on two-factor authentication</a>
            <p>Then a password alone doesn’t open your account.</p>
          </li>
        )}
        {secondFactor !== null && secondFactor.recoveryCodesLeft <= fewCodes && (
          <li>
            <a href={secondFactorPath}>Make new recovery codes</a>
            <p>
              {secondFactor.recoveryCodesLeft === 0
                ? 'None is left: without your phone, you couldn’t sign in.'
                : `Only ${secondFactor.recoveryCodesLeft} left.`}
            </p>
          </li>
        )}
        <Waiting work={reviews} of="Merge requests to review" all="/dashboard/merge_requests/reviews" />
        <Waiting work={todos} of="To-dos" all="/dashboard/todos" />
        {issues > 0 && (
          <li>
            <a href="/dashboard/issues">
              {issues === 1 ? '1 open issue' : `${issues.toLocaleString('en')} open issues`} assigned to you
            </a>
          </li>
        )}
        {isIdle(standing) && <li>Nothing waits for you.</li>}
      </ul>
    </section>
  );
}

const isIdle = ({ secondFactor, expiring, reviews, todos, issues }: Standing) =>
  secondFactor !== null &&
  secondFactor.recoveryCodesLeft > fewCodes &&
  expiring.length + reviews.count + todos.count + issues === 0;

interface WaitingProps {
  readonly work: Work;
  readonly of: string;
  readonly all: string;
}

/** A kind of work: the latest of it, and how much there is. */
function Waiting({ work: { count, nodes }, of, all }: WaitingProps) {
  if (count === 0) return null;
  return (
    <li>
      <a href={all}>
        {of}: {count.toLocaleString('en')}
      </a>
      <ul class="waiting">
        {nodes.map(({ title, reference, path }) => (
          <li>
            <a href={path}>
              <bdi>{title}</bdi>
            </a>{' '}
            <span class="hint">{reference}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}
