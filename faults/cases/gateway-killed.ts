import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { promised, rounded } from '../promised.ts';
import { allAnswered } from '../verify.ts';

export const gatewayKilled: Fault = {
  name: 'gateway-killed',
  what: 'One of two gateways is killed (`kill -9`), and started again two seconds later.',
  async run({ gateways: [stays, killed], load }) {
    const from = performance.now();
    await killed!.end('SIGKILL');
    await pause(2_000);
    const startedAt = performance.now();
    await killed!.start();
    const took = performance.now() - startedAt;
    await pause(500);
    const to = performance.now();
    return [
      allAnswered(
        'The other one answers everything meanwhile.',
        load.between(from, to).filter(({ gateway }) => gateway === stays),
      ),
      promised('The killed one starts again without intervention.', `listened after ${rounded(took)}`, true),
    ];
  },
};
