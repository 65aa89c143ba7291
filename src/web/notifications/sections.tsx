import type { ComponentChildren } from 'preact';

/** The pages about a person's notifications. */
const tabs = [
  ['/profile/notifications', 'Levels'],
  ['/profile/notifications/preferences', 'When and where'],
  ['/profile/notifications/sent', 'Sent to you'],
] as const;

export type NotificationPath = (typeof tabs)[number][0];

/** The navigation between the pages about a person's notifications. */
export function NotificationTabs({ current }: { readonly current: NotificationPath }) {
  return (
    <nav class="tabs" aria-label="Notifications">
      {tabs.map(([path, label]) => (
        <a href={path} aria-current={path === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

/** The id of the form of a `Finder`, which the page has outside of its own form. */
export const findForm = 'find';

interface FinderProps {
  readonly search: string;
  /** What is searched for: `Name or path of a group`. */
  readonly of: string;
  /** Hidden fields of the search. */
  readonly children?: ComponentChildren;
}

/** A search inside a form that has another purpose. */
export function Finder({ search, of, children }: FinderProps) {
  return (
    <div class="finder">
      {children}
      <input
        form={findForm}
        type="search"
        name="search"
        value={search}
        maxlength={255}
        aria-label={of}
        placeholder="Name or path"
      />
      <button form={findForm} class="button">
        Find
      </button>
    </div>
  );
}
