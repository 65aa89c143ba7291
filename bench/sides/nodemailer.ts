import { createTransport } from 'nodemailer';

/** Hands messages to a mail server with nodemailer alone: as many, of the same size, over the same number of connections. */
const [port, count] = process.argv.slice(2).map(Number) as [number, number];
const transport = createTransport({ host: '127.0.0.1', port, pool: true, maxConnections: 5, maxMessages: 100 });
const line = 'A line of a message, as long as lines of messages usually are.\n';
let left = count;
await Promise.all(
  Array.from({ length: 5 }, async () => {
    while (left-- > 0) {
      await transport.sendMail({
        from: { name: 'Ada (@ada)', address: 'causeway@example.com' },
        to: 'someone@example.com',
        subject: 'Re: Project | A title of an issue (#1)',
        text: line.repeat(16),
        html: `<!doctype html><html><body>${`<p>${line}</p>`.repeat(24)}</body></html>`,
        headers: Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`X-Header-${at}`, 'some value'])),
      });
    }
  }),
);
transport.close();
