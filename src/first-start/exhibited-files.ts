/** The files of the demo repository. */

export const readme = `# Storefront

The shop of the demo workspace. It has a cart, and now vouchers too.

\`\`\`sh
node --test
\`\`\`
`;

export const cartJs = `/** What a customer wants to buy. */
export class Cart {
  #items = new Map();

  add(item, price) {
    this.#items.set(item, price);
  }

  total() {
    return [...this.#items.values()].reduce((sum, price) => sum + price, 0);
  }
}
`;

export const fixedCart = `/** What a customer wants to buy. */
export class Cart {
  #items = new Map();

  add(item, price) {
    const { count = 0 } = this.#items.get(item) ?? {};
    this.#items.set(item, { price, count: count + 1 });
  }

  total() {
    return [...this.#items.values()].reduce((sum, { price, count }) => sum + price * count, 0);
  }
}
`;

export const cartTest = `import assert from 'node:assert/strict';
import test from 'node:test';
import { Cart } from '../src/cart.js';

test('a cart adds its prices up', () => {
  const cart = new Cart();
  cart.add('tea', 4);
  cart.add('cup', 9);
  assert.equal(cart.total(), 13);
});
`;

export const vouchers = `/** What a voucher takes off, in the currency of the shop. */
export const reduced = (total, percent) => Math.round(total * (100 - percent)) / 100;
`;

export const ciYaml = `stages: [check, test, deploy]

lint:
  stage: check
  script: node --check src/cart.js

unit:
  stage: test
  script: node --test
  coverage: '/lines: (\\d+)%/'

shop:
  stage: deploy
  script: echo "deployed"
  environment: production
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
      when: manual
`;
