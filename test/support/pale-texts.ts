/**
 * Texts with a contrast below 4.5 (WCAG 1.4.3). Runs in the page, so it brings
 * everything along.
 */
export function paleTexts(): string[] {
  type Colour = readonly [red: number, green: number, blue: number, alpha: number];
  const read = (text: string): Colour => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = text.match(/[\d.]+/g)!.map(Number);
    return [red, green, blue, alpha];
  };
  const over = ([r, g, b, a]: Colour, [R, G, B]: Colour): Colour => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const luminance = (colour: Colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const ground = (element: Element | null): Colour => {
    if (!element) return [255, 255, 255, 1];
    const own = read(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, ground(element.parentElement));
  };
  const pale: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement!;
    const text = texts.currentNode.textContent!.trim();
    if (text === '' || element.tagName === 'NOSCRIPT' || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const under = ground(element);
    const [dark, bright] = [luminance(under), luminance(over(read(getComputedStyle(element).color), under))].sort((one, other) => one - other);
    const contrast = (bright! + 0.05) / (dark! + 0.05);
    if (contrast < 4.5) pale.push(`${text.slice(0, 40)}: ${contrast.toFixed(2)}`);
  }
  return pale;
}
