import type { ComponentChildren } from 'preact';

/** What is shown of a record: a name and its value, or nothing. */
export type Fact = readonly [name: string, value: ComponentChildren] | false | null | undefined;

/** What is known of one record, name by name. */
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
  /** What the rows are, for those who don't see the heading above. */
  readonly caption: string;
  /** The names of the columns. The first one's cells name their rows; `hidden` ones are said, not shown. */
  readonly columns: readonly (string | { readonly hidden: string })[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** Said in place of no rows. */
  readonly empty: ComponentChildren;
}

/** Records beside each other, which become cards where there is no room for that. */
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

/** A word about a record's state. @param tone how it is meant; neutral unless it says something */
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
  /** What the pages hold: `Access tokens`. */
  readonly of: string;
  /** Where the page before is; null on the first. */
  readonly before: string | null;
  readonly after: string | null;
  /** What is before and after; by default what lists in time have. */
  readonly labels?: readonly [before: string, after: string];
}

/** The ways to the pages before and after this one. */
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

/** A secret the one time that it is shown. One click selects all of it. */
export function SecretOnce({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <section class="once" aria-label={label}>
      <p>
        <b>Copy it now: {label}.</b> It isn’t shown again.
      </p>
      <code class="secret">{value}</code>
    </section>
  );
}

/** What can't be undone, apart from everything else. */
export function DangerZone({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="danger-zone">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
