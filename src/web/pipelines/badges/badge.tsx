/** A small picture of a name and a value, as READMEs show it. */

interface BadgeProps {
  readonly name: string;
  /** In pixels; by the length of the name, if omitted. */
  readonly nameWidth?: number | undefined;
  readonly value: string;
  readonly colour: string;
}

/** About the width of a text in pixels: browsers stretch it to that. */
const widthOf = (text: string) => Math.round(text.length * 6.5);
const padding = 10;

/** The picture as SVG. */
export function BadgePicture({ name, nameWidth = widthOf(name) + padding, value, colour }: BadgeProps) {
  const valueWidth = widthOf(value) + padding;
  const width = nameWidth + valueWidth;
  const text = `${name}: ${value}`;
  return (
    <svg xmlns="http://www.w3.org/2000/svg" width={width} height="20" role="img" aria-label={text}>
      <title>{text}</title>
      <clipPath id="corners">
        <rect width={width} height="20" rx="3" />
      </clipPath>
      <g clip-path="url(#corners)">
        <rect width={nameWidth} height="20" fill="#555" />
        <rect x={nameWidth} width={valueWidth} height="20" fill={colour} />
      </g>
      <g fill="#fff" text-anchor="middle" font-family="DejaVu Sans,Verdana,sans-serif" font-size="11">
        <text x={nameWidth / 2} y="14" textLength={Math.min(widthOf(name), nameWidth)}>
          {name}
        </text>
        <text x={nameWidth + valueWidth / 2} y="14" textLength={widthOf(value)}>
          {value}
        </text>
      </g>
    </svg>
  );
}
