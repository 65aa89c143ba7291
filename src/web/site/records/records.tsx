import type { ComponentChildren } from 'preact';

/** One row of `Facts`: a name and its value, or nothing. */
export type Fact = readonly [name: string, value: ComponentChildren] | false | null | undefined;

/** A record as a list of names and values. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(
        (fact) =>
          fact && (
            <>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </>
          ),
      )}
    </dl>
  );
}

interface TableProps {
  /** What the rows are, for screen readers. */
  readonly caption: string;
  /** The names of the columns. Cells of the first column name their rows; `hidden` names are for screen readers only. */
  readonly columns: readonly (string | { readonly hidden: string })[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** Shown if there are no rows. */
  readonly empty: ComponentChildren;
}

/** A table of records, which turns into cards on narrow screens. */
export function Table({ caption, columns, rows, empty }: TableProps) {
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <table class="table">
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col">{typeof column === 'string' ? column : <span class="hidden">{column.hidden}</span>}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr>
            <th scope="row">{name}</th>
            {cells.map((cell, index) => {
              const column = columns[index + 1];
              return <td data-label={typeof column === 'string' ? column : undefined}>{cell}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface NothingProps {
  /** Why the list is empty. */
  readonly says: string;
  /** The address of the list without the filters that leave nothing. */
  readonly all?: string | undefined;
  /** How the first record is made, where there is no such address. */
  readonly children?: ComponentChildren;
}

/** What stands in place of a list without records, and what leads on. */
export function Nothing({ says, all, children }: NothingProps) {
  return (
    <p class="empty">
      {says} {all === undefined ? children : <a href={all}>Show all</a>}
    </p>
  );
}

/** A person, with a link to their page. */
export const PersonName = ({ person }: { readonly person: { readonly name: string; readonly username: string } }) => (
  <a href={`/${person.username}`}>
    <bdi>{person.name}</bdi>
  </a>
);

/** A word about a record's state. @param tone its colour; neutral by default */
export function Badge({
  tone,
  children,
}: {
  readonly tone?: 'good' | 'caution' | 'danger';
  readonly children: ComponentChildren;
}) {
  return <span class={`badge ${tone ?? ''}`.trim()}>{children}</span>;
}

interface PagerProps {
  /** What the list holds: `access tokens`. */
  readonly of: string;
  /** The address of the page before; null on the first. */
  readonly before: string | null;
  readonly after: string | null;
  /** The labels of the links; by default those of lists in order of time. */
  readonly labels?: readonly [before: string, after: string];
}

/** Links to the pages before and after this one (cursor pagination). */
export function Pager({ of, before, after, labels = ['Newer', 'Older'] }: PagerProps) {
  if (before === null && after === null) return null;
  return (
    <nav class="pager" aria-label={`Pages of ${of}`}>
      {before !== null && (
        <a class="button" rel="prev" href={before}>
          ← {labels[0]}
        </a>
      )}
      {after !== null && (
        <a class="button" rel="next" href={after}>
          {labels[1]} →
        </a>
      )}
    </nav>
  );
}

/** A secret that is shown once. One click selects all of it. */
export function SecretOnce({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <section class="once" aria-label={label}>
      <p>
        <b>Copy {label} now.</b> It isn’t shown again.
      </p>
      <code class="secret">{value}</code>
    </section>
  );
}

interface SavedFileProps {
  /** The name that the file gets. */
  readonly name: string;
  readonly text: string;
  readonly children: ComponentChildren;
}

/** A link that saves a text as a file. The page itself carries it: it needs no script, and no second request. */
export function SavedFile({ name, text, children }: SavedFileProps) {
  return (
    <a class="button" download={name} href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}>
      {children}
    </a>
  );
}

/** A link that saves values as a file of environment variables. None of them may hold a line break or a quote. */
export function EnvFile({ values }: { readonly values: Readonly<Record<string, string>> }) {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  return (
    <SavedFile name="causeway.env" text={lines.join('')}>
      Save as .env
    </SavedFile>
  );
}

/** A section of its own for what can't be undone. */
export function DangerZone({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="danger-zone">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
