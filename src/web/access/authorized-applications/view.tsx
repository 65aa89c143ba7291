import { Day } from '../../site/records/day.tsx';
import type { Site } from '../../site/layout/layout.tsx';
import { Pager } from '../../site/records/records.tsx';
import { AccountLayout } from '../../site/layout/sections.tsx';
import { ScopeList } from '../oauth/consent-view.tsx';
import { applicationsPath } from '../applications/view.tsx';

export const authorizedPath = '/profile/authorized_applications';

export interface Authorized {
  readonly application: { readonly id: number; readonly name: string };
  readonly scopes: readonly string[];
  readonly authorizedAt: string;
  readonly issuedAt: string;
}

/** The list of the applications that can act for a person, with a button to revoke each. */
export function AuthorizedApplications({
  site,
  authorized,
  pages,
}: {
  readonly site: Site;
  readonly authorized: readonly Authorized[];
  readonly pages: { readonly before: string | null; readonly after: string | null };
}) {
  return (
    <AccountLayout site={site} title="Authorized applications" current={authorizedPath}>
      <h1>Authorized applications</h1>
      <p class="lead">These applications can act for you.</p>
      {authorized.length === 0 ? (
        <p class="empty">You haven’t authorized any applications.</p>
      ) : (
        <ul class="records">
          {authorized.map(({ application: { id, name }, scopes, authorizedAt, issuedAt }) => (
            <li>
              <h2>
                <bdi>{name}</bdi>
              </h2>
              <p>
                Authorized on <Day at={authorizedAt} />, last got a token on <Day at={issuedAt} />. It can:
              </p>
              <ScopeList scopes={scopes} />
              <a class="button danger" href={`${authorizedPath}/${id}/revoke`}>
                Revoke<span class="hidden"> {name}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <Pager of="authorized applications" {...pages} />
      <p>
        Applications that you registered yourself: <a href={applicationsPath}>applications</a>
      </p>
    </AccountLayout>
  );
}
