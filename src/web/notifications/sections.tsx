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
