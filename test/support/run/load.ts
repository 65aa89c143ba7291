import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** The outcomes of requests. */
export interface Outcomes {
  /** Counts of answers, by status. */
  readonly answered: Record<number, number>;
  /** The number of answers with `Connection: close`. */
  closing: number;
  /** The number of refused connections. A client would retry these at another gateway. */
  refused: number;
  /** The errors of requests that were sent and got no complete answer. */
  readonly lost: string[];
}

/**
 * Sends requests at a constant rate over keep-alive connections, until it is stopped.
 * @param perSecond requests, independent of the time of answers
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
    /** Stops sending. @returns the outcomes, after the last answer */
    async stop(): Promise<Outcomes> {
      stopped = true;
      await running;
      await Promise.all(underWay);
      agent.destroy();
      return outcomes;
    },
  };
}
