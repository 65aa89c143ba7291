const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as HTML: between tags, and as the value of an attribute in double quotes. */
export const escapedHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign]!);
