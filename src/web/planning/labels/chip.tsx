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

/** The first labels of something in a list. */
export interface RowLabels {
  readonly nodes: readonly ShownLabel[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

/** Labels that a row of a list shows. */
const labelsInRow = 12;

/** What operations select for `RowLabels`. */
export const rowLabelsField = `labels(first: ${labelsInRow}) { nodes { title color } pageInfo { hasNextPage } }`;

interface LabelRowProps {
  readonly labels: RowLabels;
  /** The address that narrows the list to a label. */
  readonly withLabel: (label: string) => string;
}

/** The labels in a row of a list. The page of the record has all of them. */
export function LabelRow({ labels: { nodes, pageInfo }, withLabel }: LabelRowProps) {
  if (nodes.length === 0) return null;
  return (
    <ul class="chips" aria-label="Labels">
      {nodes.map((label) => (
        <li>
          <LabelChip label={label} href={withLabel(label.title)} />
        </li>
      ))}
      {pageInfo.hasNextPage && <li>and more</li>}
    </ul>
  );
}
