import { encode } from 'uqr';

/** A QR code as an image in the page itself: dark on light whatever the page's colours, since cameras want that. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  // The margin is part of the code: ISO/IEC 18004 asks for four modules.
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={data.map(rowPath).join('')} fill="#000" />
    </svg>
  );
}

/** The dark stretches of a row, each a rectangle. */
function rowPath(row: readonly boolean[], y: number): string {
  const stretches = row
    .map((dark) => (dark ? '1' : '0'))
    .join('')
    .matchAll(/1+/g);
  return [...stretches].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`).join('');
}
