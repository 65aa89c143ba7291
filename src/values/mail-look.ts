/**
 * How the HTML of mails looks: long words and lines break, so that they fit on a telephone. No colours and no sizes: it is
 * readable in whatever light and size the reader's program is set to. As attributes, because some programs drop style sheets.
 */
export const mailLook = {
  body: 'font-family:system-ui,sans-serif;line-height:1.5;overflow-wrap:anywhere',
  pre: 'white-space:pre-wrap',
} as const;
