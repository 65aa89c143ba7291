/** A label as pages show it. */
export interface ShownLabel {
  readonly title: string;
  /** `#rrggbb`. */
  readonly color: string;
}

/** The color of a label. The text beside it has the page's own color, which is readable on every ground. */
function Swatch({ color }: { readonly color: string }) {
  return (
    <svg class="swatch" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <circle cx="6" cy="6" r="5.5" fill={color} />
    </svg>
  );
}

/** A label. @param href where it leads, if anywhere */
export function LabelChip({ label: { title, color }, href }: { readonly label: ShownLabel; readonly href?: string }) {
  const content = (
    <>
      <Swatch color={color} />
      <bdi>{title}</bdi>
    </>
  );
  return href === undefined ? (
    <span class="label">{content}</span>
  ) : (
    <a class="label" href={href}>
      {content}
    </a>
  );
}
