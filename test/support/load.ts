import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** What became of requests. */
export interface Outcomes {
  /** By status. */
  readonly answered: Record<number, number>;
  /** On answers: how many said that the connection ends. */
  closing: number;
  /** Never let in: the connection was refused. Another gateway would have taken them. */
  refused: number;
  /** Sent, and cut off without an answer or in the midst of one; each with its error. */
  readonly lost: string[];
}

/**
 * Sends requests at a steady rate over connections that are kept, until it is stopped.
 * @param perSecond requests, whatever the answers take
 */
export function steadyLoad(
  url: string,
  { perSecond, connections, headers }: { perSecond: number; connections: number; headers: Record<string, string> },
) {
  const outcomes: Outcomes = { answered: {}, closing: 0, refused: 0, lost: [] };
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  function send(): void {
    const done = new Promise<void>((resolve) => {
      const sent = request(url, { agent, headers }, (response) => {
        response.on('error', (error) => outcomes.lost.push(`in an answer: ${error.message}`));
        response.on('end', () => {
          outcomes.answered[response.statusCode!] = (outcomes.answered[response.statusCode!] ?? 0) + 1;
          if (response.headers.connection === 'close') outcomes.closing++;
        });
        response.on('close', resolve);
        response.resume();
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') outcomes.refused++;
        else outcomes.lost.push(`${error.code} ${error.message}${sent.reusedSocket ? ' on a kept connection' : ''}`);
        resolve();
      });
      sent.end();
    });
    underWay.add(done);
    void done.then(() => underWay.delete(done));
  }

  const running = (async () => {
    const startedAt = performance.now();
    for (let count = 0; !stopped; await pause(5)) {
      for (const due = ((performance.now() - startedAt) * perSecond) / 1_000; count < due; count++) send();
    }
  })();

  return {
    outcomes,
    /** Sends no more. @returns what came of all, when nothing is under way any more */
    async stop(): Promise<Outcomes> {
      stopped = true;
      await running;
      await Promise.all(underWay);
      agent.destroy();
      return outcomes;
    },
  };
}
