import * as fc from 'fast-check';
import { remaining, type Answer, type Model, type Pair, type Token } from './model.ts';
import type { Answered, Server } from './server.ts';

export type Command = fc.AsyncCommand<Model, Server>;

/** Where a command happens. */
export interface Scene {
  readonly model: Model;
  readonly server: Server;
  /** Notes what is done, for the report of a failure. */
  readonly say: (text: string) => void;
}

type Act<Choice> = (scene: Scene, choice: Choice) => Promise<void>;

/** A command with what was chosen for it. Afterwards some of the tokens are compared. */
class Step<Choice> implements Command {
  readonly #name: string;
  readonly #choice: Choice;
  readonly #possible: (model: Model) => boolean;
  readonly #act: Act<Choice>;

  constructor(name: string, choice: Choice, possible: (model: Model) => boolean, act: Act<Choice>) {
    this.#name = name;
    this.#choice = choice;
    this.#possible = possible;
    this.#act = act;
  }

  check(model: Readonly<Model>): boolean {
    return this.#possible(model as Model);
  }

  async run(model: Model, server: Server): Promise<void> {
    server.steps++;
    await this.#act(
      { model, server, say: (text) => void server.story.push(`${this.#name} ${text}`.trim()) },
      this.#choice,
    );
    await server.compare(model, sample(model, server.steps));
  }

  /** What was chosen. What came of it is in the story: the same choice is tried in many runs. */
  toString(): string {
    return `${this.#name} ${JSON.stringify(this.#choice)}`;
  }
}

/** Every other time one token: the latest access token and all the others take turns. */
function sample(model: Model, turn: number): Token[] {
  if (turn % 2 === 1) return [];
  const all: Token[] = [...model.accessTokens, ...model.refreshTokens];
  const one = turn % 4 === 0 ? model.accessTokens.at(-1) : all[(turn >> 2) % all.length];
  return one ? [one] : [];
}

/** One kind of command: how often it comes, what there is to choose, when it makes sense, what happens. */
export function command<Choice>(
  weight: number,
  name: string,
  choices: fc.Arbitrary<Choice>,
  possible: (model: Model) => boolean,
  act: Act<Choice>,
): fc.WeightedArbitrary<Command> {
  return { weight, arbitrary: choices.map((choice) => new Step(name, choice, possible, act)) };
}

export function expectSame(what: string, expected: unknown, found: unknown): void {
  const [one, other] = [JSON.stringify(expected), JSON.stringify(found)];
  if (one !== other) throw new Error(`${what}: the model says ${one}, the server ${other}`);
}

/** Compares an answer to a client. @returns what the model makes of a success */
export function expectAnswer<Success>(answer: Answer<Success>, { status, body }: Answered): Success | null {
  const { error = null } = body as { error?: string };
  expectSame('the answer', 'refused' in answer ? answer.refused : [200, null], [status, error]);
  return 'refused' in answer ? null : answer.success;
}

/** Compares an answer with tokens, and learns their secrets where they are new. */
export function expectTokens(model: Model, answer: Answer<Pair>, response: Answered): void {
  const pair = expectAnswer(answer, response);
  if (!pair) return;
  const { access_token, refresh_token, scope } = response.body as {
    access_token: string;
    refresh_token?: string;
    scope: string;
  };
  // Of a pair that was issued before, what its application has left it.
  expectSame('the scope', remaining(pair.access, pair.access.family.application).join(' '), scope);
  expectSame('whether there is a refresh token', pair.refresh !== null, refresh_token !== undefined);
  learn(model, pair.access, access_token);
  if (pair.refresh) learn(model, pair.refresh, refresh_token!);
}

export function learn(model: Model, token: Token, secret: string): void {
  if (token.secret !== '') return expectSame(`the secret of ${token.name}`, token.secret, secret);
  const known = [...model.accessTokens, ...model.refreshTokens].find((one) => one.secret === secret);
  if (known) throw new Error(`${token.name} has the secret of ${known.name}`);
  token.secret = secret;
}
