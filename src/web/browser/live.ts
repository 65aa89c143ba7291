/**
 * Shows something as it goes on: the log of a job, or a pipeline. `data-live` has the address of the events, and the words
 * before and after the connection; `data-live-content` is replaced by what the server has rendered and escaped.
 */

import './zone.ts';

const note = document.querySelector<HTMLElement>('[data-live]')!;
const content = document.querySelector<HTMLElement>('[data-live-content]')!;
const follows = note.dataset.follows !== undefined;
const source = new EventSource(note.dataset.live!);

/** Whether the end is in view: then it stays there. */
const isAtEnd = () => content.getBoundingClientRect().bottom <= innerHeight + 40;

source.addEventListener('open', () => (note.textContent = note.dataset.while!));
source.addEventListener('content', ({ data }: MessageEvent<string>) => {
  const scrolls = follows && isAtEnd();
  const closed = [...content.querySelectorAll('details')].map(({ open }) => !open);
  content.innerHTML = (JSON.parse(data) as { html: string }).html;
  [...content.querySelectorAll('details')].forEach((section, index) => (section.open = !closed[index]));
  if (scrolls) content.lastElementChild?.scrollIntoView({ block: 'end' });
});
source.addEventListener('end', () => {
  source.close();
  location.reload();
});
source.addEventListener('error', () => {
  if (source.readyState === EventSource.CLOSED) note.textContent = note.dataset.lost!;
});
