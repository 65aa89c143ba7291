import { categories, type Category } from './categories.ts';

/** A contender's request, in parts. */
export interface Bar {
  readonly name: string;
  readonly parts: readonly { readonly category: Category; readonly microseconds: number }[];
}

/** Distinguishable with colour blindness too, on light and on dark. */
const colours: Record<Category, readonly [light: string, dark: string]> = {
  'node:http and system calls': ['#5b6b7f', '#8a99ad'],
  'route and parameters': ['#2f7fb5', '#58a6dd'],
  'token and policy': ['#c2731a', '#e39a48'],
  'executor and resolvers': ['#8a4fa3', '#b784cf'],
  'PostgreSQL client': ['#2b8a5f', '#56b98b'],
  rendering: ['#b5495b', '#dd7c8b'],
  answer: ['#1f8f94', '#4fbcc1'],
  'log, metrics, traces': ['#8c7a1f', '#c2ae4a'],
  'garbage collection': ['#7a5a45', '#ad8970'],
  'everything else': ['#8b8f96', '#70757d'],
};

const [width, left, right] = [760, 20, 20];
const [barTop, barHeight, barStep] = [58, 30, 62];
const rowHeight = 22;

const text = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const micro = (value: number) => (value < 0.05 ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} µs`);
const name = (category: Category) => `c${categories.indexOf(category)}`;

/**
 * Draws where the CPU time of a request goes: a bar for each contender, on one scale, and a legend with the figures.
 */
export function draw(title: string, bars: readonly Bar[]): string {
  const totals = bars.map(({ parts }) => parts.reduce((sum, { microseconds }) => sum + microseconds, 0));
  const scale = (width - left - right) / Math.max(...totals);
  const drawn = bars.map(({ name: who, parts }, i) => {
    const top = barTop + i * barStep;
    let x = left;
    const pieces = parts.map(({ category, microseconds }) => {
      const piece = `<rect class="${name(category)}" x="${x.toFixed(1)}" y="${top + 8}" width="${(microseconds * scale).toFixed(1)}" height="${barHeight}"><title>${text(category)}: ${micro(microseconds)}</title></rect>`;
      x += microseconds * scale;
      return piece;
    });
    return `<text x="${left}" y="${top}">${text(who)}: ${micro(totals[i]!)}</text>\n${pieces.join('\n')}`;
  });
  const legendTop = barTop + bars.length * barStep + 24;
  const columns = bars.map((_bar, i) => 340 + i * 130);
  const heads = bars.map(
    ({ name: who }, i) => `<text class="figure quiet" x="${columns[i]}" y="${legendTop - 8}">${text(who)}</text>`,
  );
  const shown = categories.filter((category) =>
    bars.some(({ parts }) => parts.some((part) => part.category === category && part.microseconds >= 0.05)),
  );
  const rows = shown.map((category, i) => {
    const y = legendTop + 14 + i * rowHeight;
    const figures = bars.map(({ parts }, column) => {
      const { microseconds } = parts.find((part) => part.category === category)!;
      return `<text class="figure" x="${columns[column]}" y="${y}">${micro(microseconds)}</text>`;
    });
    return `<rect class="${name(category)}" x="${left}" y="${y - 11}" width="13" height="13"/><text x="${left + 22}" y="${y}">${text(category)}</text>${figures.join('')}`;
  });
  const height = legendTop + shown.length * rowHeight + 20;
  const described = bars
    .map(
      ({ name: who, parts }) =>
        `${who}: ${parts.map(({ category, microseconds }) => `${category} ${micro(microseconds)}`).join(', ')}`,
    )
    .join('. ');
  const style = (tone: 0 | 1) =>
    categories.map((category) => `.${name(category)} { fill: ${colours[category][tone]} }`).join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">CPU of one request: ${text(title)}</title>
<desc id="description">${text(described)}</desc>
<style>
text { font: 14px system-ui, sans-serif; fill: #1d2430 } .head { font-size: 16px; font-weight: 600 } .quiet { fill: #5a6472 } .figure { text-anchor: end; font-variant-numeric: tabular-nums }
.paper { fill: #ffffff } ${style(0)}
@media (prefers-color-scheme: dark) { text { fill: #e8ecf2 } .quiet { fill: #a7b0bd } .paper { fill: #14181f } ${style(1)} }
</style>
<rect class="paper" width="${width}" height="${height}" rx="8"/>
<text class="head" x="${left}" y="30">CPU of one request: ${text(title)}</text>
${[...drawn, ...heads, ...rows].join('\n')}
</svg>
`;
}
