import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { exchanges, type Connection } from '../../src/http/exchange.ts';
import { beginTransfer, isTransfer, watchTransfer } from '../../src/http/transfer.ts';

/** A transfer over a connection whose state the test sets. */
function begin() {
  const connection = {
    peer: '127.0.0.1',
    headers: {},
    body: Readable.from([]),
    isComplete: false,
    bytes: 0,
    waitsForClient: true,
    takesItsTime: () => undefined,
    cut: false,
    destroy() {
      this.cut = true;
    },
  };
  const exchange = exchanges([])(new Request('http://localhost/'), '/', connection satisfies Connection);
  expect(isTransfer(exchange)).toBe(false);
  beginTransfer(exchange);
  expect(isTransfer(exchange)).toBe(true);
  const start = performance.now();
  return { connection, look: (seconds: number) => watchTransfer(exchange, start + seconds * 1_000) };
}

test('a transfer goes on while bytes move, however slowly', () => {
  const { connection, look } = begin();
  for (let minute = 0; minute < 30; minute++) {
    connection.bytes++;
    look(minute * 60);
    look(minute * 60 + 59);
  }
  expect(connection.cut).toBe(false);
});

test('a transfer goes on while git works and the client can only wait', () => {
  const { connection, look } = begin();
  connection.waitsForClient = false;
  for (let minute = 0; minute < 30; minute++) look(minute * 60);
  expect(connection.cut).toBe(false);
  connection.waitsForClient = true;
  look(30 * 60 - 1);
  expect(connection.cut).toBe(false);
});

test('a client that neither sends nor reads for a minute is disconnected', () => {
  const { connection, look } = begin();
  look(59);
  expect(connection.cut).toBe(false);
  look(61);
  expect(connection.cut).toBe(true);
});
