/** Shows the log of a running job as it grows. The server has escaped the lines. */

const note = document.querySelector<HTMLElement>('[data-live]')!;
const list = document.querySelector<HTMLElement>('[data-log]')!;
const source = new EventSource(note.dataset.live!);

/** Whether the end of the log is in view: then it stays there. */
const isAtEnd = () => list.getBoundingClientRect().bottom <= innerHeight + 40;

source.addEventListener('open', () => (note.textContent = '. It goes on.'));
source.addEventListener('log', ({ data }: MessageEvent<string>) => {
  const follows = isAtEnd();
  const closed = [...list.querySelectorAll('details')].map(({ open }) => !open);
  list.innerHTML = (JSON.parse(data) as { html: string }).html;
  [...list.querySelectorAll('details')].forEach((section, index) => (section.open = !closed[index]));
  if (follows) list.lastElementChild?.scrollIntoView({ block: 'end' });
});
source.addEventListener('end', () => {
  source.close();
  location.reload();
});
source.addEventListener('error', () => {
  if (source.readyState === EventSource.CLOSED) note.textContent = '. It goes on; load the page again to see more.';
});
