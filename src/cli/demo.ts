import type { Started } from '../server.ts';

/**
 * Fills the demo workspace of a first start. It can be used meanwhile; what a failure or a stop leaves out stays out.
 */
export async function fillDemo({ listening, firstStart }: Started): Promise<void> {
  if (!firstStart?.demo) return;
  const { makeExhibits } = await import('../first-start/exhibits.ts');
  const { rootToken, demo } = firstStart;
  try {
    await makeExhibits({ url: listening, rootToken, token: demo.token });
  } catch (error) {
    // A stop ends its requests too, and says so itself.
    if (!(error instanceof TypeError))
      process.stderr.write(`The demo workspace isn’t complete: ${(error as Error).message}\n`);
  }
}
