import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** Reports of tests in the form of JUnit: XML with suites and cases. */

const testStatuses = ['success', 'failed', 'error', 'skipped'] as const;

/** One test. */
export interface TestCase {
  readonly status: (typeof testStatuses)[number];
  readonly name: string;
  readonly classname: string;
  readonly file: string | null;
  /** In seconds. */
  readonly executionTime: number;
  /** What was wrong, or why it was left out. */
  readonly output: string | null;
}

/** What is kept of a text of a report, in characters. */
const longestText = { name: 1_024, output: 16_384 } as const;

/** Most tests of a job, and most characters of what they said. */
const bounds = { cases: 20_000, output: 4_000_000, depth: 64 } as const;

/** In characters. */
const longestTag = 1_048_576;

/** Each of several reports begins with one, where a fragment can’t have it. */
const withoutDeclarations = (text: string) => text.replaceAll(/<\?xml\s[^<>]*\?>/g, '');

/** Why a report can’t be read. */
export class UnreadableReport extends Error {}

const outcomes: Readonly<Record<string, TestCase['status']>> = {
  failure: 'failed',
  error: 'error',
  skipped: 'skipped',
};

/**
 * Reads a report in pieces of text. A document type makes it unreadable, so that it can’t declare entities.
 */
export class JunitReader {
  readonly cases: TestCase[] = [];
  // Several reports come one after the other, as the runner sends several files: a fragment has many roots.
  readonly #parser = new SaxesParser({ xmlns: false, position: false, fragment: true });
  /** The beginning of a tag whose end is still to come. */
  #held = '';
  #depth = 0;
  #output = 0;
  #case: { -readonly [Key in keyof TestCase]: TestCase[Key] } | undefined;
  /** What is read into the case’s output: the text of a failure. */
  #text: string | undefined;

  constructor() {
    this.#parser.on('error', ({ message }) => {
      throw new UnreadableReport(`JUnit XML parsing failed: ${message.slice(0, 200)}`);
    });
    this.#parser.on('opentag', (tag) => this.#open(tag));
    this.#parser.on('text', (text) => this.#add(text));
    this.#parser.on('cdata', (text) => this.#add(text));
    this.#parser.on('closetag', ({ name }) => this.#close(name));
  }

  /** @throws UnreadableReport */
  push(text: string): void {
    const known = this.#held + text;
    const begin = known.lastIndexOf('<');
    const until = begin >= 0 && !known.includes('>', begin) ? begin : known.length;
    this.#held = known.slice(until);
    if (this.#held.length > longestTag) throw new UnreadableReport('JUnit XML parsing failed: a tag is too long');
    this.#parser.write(withoutDeclarations(known.slice(0, until)));
  }

  /** @throws UnreadableReport */
  end(): void {
    this.#parser.write(withoutDeclarations(this.#held));
    this.#parser.close();
  }

  #open({ name, attributes }: SaxesTagPlain): void {
    if (++this.#depth > bounds.depth) throw new UnreadableReport('JUnit XML parsing failed: too many levels');
    if (name === 'testcase') {
      if (this.cases.length >= bounds.cases) throw new UnreadableReport(`It has more than ${bounds.cases} tests.`);
      this.#case = {
        status: 'success',
        name: (attributes.name ?? '').slice(0, longestText.name),
        classname: (attributes.classname ?? '').slice(0, longestText.name),
        file: attributes.file?.slice(0, longestText.name) ?? null,
        executionTime: secondsIn(attributes.time),
        output: null,
      };
    } else if (this.#case && Object.hasOwn(outcomes, name)) {
      // An error that comes with a failure doesn’t make it another.
      if (this.#case.status === 'success') this.#case.status = outcomes[name]!;
      this.#text = attributes.message ?? '';
    }
  }

  #add(text: string): void {
    if (this.#text !== undefined && this.#text.length < longestText.output) this.#text += text;
  }

  #close(name: string): void {
    this.#depth--;
    if (name === 'testcase' && this.#case) {
      this.cases.push(this.#case);
      this.#case = undefined;
    } else if (this.#case && this.#text !== undefined && Object.hasOwn(outcomes, name)) {
      const said = this.#text.trim().slice(0, longestText.output);
      this.#text = undefined;
      this.#output += said.length;
      if (said !== '' && this.#output <= bounds.output) this.#case.output ??= said;
    }
  }
}

function secondsIn(given: string | undefined): number {
  const seconds = Number((given ?? '0').replaceAll(',', ''));
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 1e9) : 0;
}
