import { encode } from 'uqr';

/** A QR code as inline SVG. It is dark on light in every colour scheme, because cameras need that. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  // ISO/IEC 18004 requires a margin of four modules.
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={data.map(rowPath).join('')} fill="#000" />
    </svg>
  );
}

/** The dark runs of a row as rectangles. */
function rowPath(row: readonly boolean[], y: number): string {
  const stretches = row
    .map((dark) => (dark ? '1' : '0'))
    .join('')
    .matchAll(/1+/g);
  return [...stretches].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`).join('');
}
