import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitCommands } from '../../src/markdown/commands.ts';
import { readMarkdown } from '../../src/markdown/markdown.ts';

/** Texts of people: what they refer to, their tasks and commands, and their HTML, which can't do anything. */

const referred = (text: string) =>
  readMarkdown(text).references.map(({ kind, project, name }) => [kind, project, name]);

describe('references', () => {
  test.each([
    ['see #1', [['issue', null, '1']]],
    [
      '(#1, #2)',
      [
        ['issue', null, '1'],
        ['issue', null, '2'],
      ],
    ],
    [
      'a/b#3 and c#4.',
      [
        ['issue', 'a/b', '3'],
        ['issue', 'c', '4'],
      ],
    ],
    ['sub_group/my-project_x#5', [['issue', 'sub_group/my-project_x', '5']]],
    [
      '!7 $8',
      [
        ['mergeRequest', null, '7'],
        ['snippet', null, '8'],
      ],
    ],
    [
      '~bug ~"two words" ~12 ~snake_case_too',
      [
        ['label', null, 'bug'],
        ['label', null, 'two words'],
        ['label', null, '12'],
        ['label', null, 'snake_case_too'],
      ],
    ],
    [
      '%1 %"Version 1.0" %Spring',
      [
        ['milestone', null, '1'],
        ['milestone', null, 'Version 1.0'],
        ['milestone', null, 'Spring'],
      ],
    ],
    [
      '@ada, @group/sub and @e.v_e-.',
      [
        ['user', null, 'ada'],
        ['user', null, 'group/sub'],
        ['user', null, 'e.v_e-'],
      ],
    ],
    ['# 1 and a heading', []],
    ['ada@example.com, a#b, x~y, 5%3, #0, C#', []],
    ['`#1` and [#2](https://example.com)', []],
    ['```\n@ada #1\n```\n\n    #2', []],
    [String.raw`\#1 \@ada`, []],
    ['https://example.com/a#1', []],
    [
      '|a|b|\n|-|-|\n|#1|@ada|',
      [
        ['issue', null, '1'],
        ['user', null, 'ada'],
      ],
    ],
  ])('%j', (text, expected) => {
    expect(referred(text)).toEqual(expected);
  });

  test('a person at the start of a line is addressed', () => {
    const { references } = readMarkdown('@ada look\nand @eve\n@bob @cleo\n- @dan');
    expect(references.filter(({ isFirst }) => isFirst).map(({ name }) => name)).toEqual(['ada', 'bob', 'dan']);
  });

  test('a reference is a link where the reader sees its target, and text where not', () => {
    const html = readMarkdown('#1 & #2').html({
      target: ({ name }) => (name === '1' ? { url: '/p/-/issues/1', title: 'A "title" <b>' } : undefined),
    });
    expect(html).toBe(
      '<p><a href="/p/-/issues/1" data-reference-type="issue" title="A &quot;title&quot; &lt;b&gt;" class="gfm gfm-issue">#1</a> &amp; #2</p>\n',
    );
  });

  test('an emoji is its character where its name is known', () => {
    const html = readMarkdown(':rocket: :nothing: 10:30:20').html({
      emoji: (name) => (name === 'rocket' ? '🚀' : undefined),
    });
    expect(html).toBe('<p><gl-emoji title="rocket" data-name="rocket">🚀</gl-emoji> :nothing: 10:30:20</p>\n');
  });
});

describe('tasks', () => {
  test('are counted and shown as checkboxes', () => {
    const read = readMarkdown('- [x] find\n- [ ] seal\n  1. [X] twice\n- [ no\n\n[ ] nor this');
    expect(read.tasks).toEqual({ count: 3, completed: 2 });
    expect(read.html()).toContain(
      '<li class="task-list-item"><input type="checkbox" disabled class="task-list-item-checkbox" checked /> find</li>',
    );
  });
});

describe('commands', () => {
  const known = (name: string) => ['close', 'label', 'spend'].includes(name);
  test.each([
    ['/close', '', [['close', '']]],
    [
      'Done.\n/close\n/label ~bug ~"two words"  \nBye',
      'Done.\nBye',
      [
        ['close', ''],
        ['label', '~bug ~"two words"'],
      ],
    ],
    [
      '/CLOSE\r\n/spend 1h',
      '',
      [
        ['close', ''],
        ['spend', '1h'],
      ],
    ],
    ['/closed\n/unknown x\n /close', '/closed\n/unknown x\n /close', []],
    ['```\n/close\n```\n> /close\n\n<div>\n/close\n</div>', '```\n/close\n```\n> /close\n\n<div>\n/close\n</div>', []],
    ['/usr/bin is a folder', '/usr/bin is a folder', []],
  ])('%j', (text, rest, commands) => {
    const split = splitCommands(text, known);
    expect([split.text, split.commands.map(({ name, argument }) => [name, argument])]).toEqual([rest, commands]);
  });
});

describe('HTML', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<svg/onload=alert(1)>',
    '<iframe src="https://example.com"></iframe>',
    '<style>body{display:none}</style>',
    '<form action=/x><button>go</button></form>',
    '<input type=submit formaction=/x>',
    '<p style="position:fixed" id=main name=csrf class=banner>x</p>',
    '<math><mtext></mtext><mglyph><style><img src=x onerror=alert(1)>',
    '<div data-action="x" hx-get="/x">x</div>',
    '~"<img src=x onerror=alert(1)>"',
  ])('%j does nothing', (text) => {
    const html = readMarkdown(text).html({ target: () => ({ url: '/x', title: '<script>' }) });
    const elements = [...html.matchAll(/<[^>]*>/g)].join('');
    expect(elements).not.toMatch(
      /<(?:script|style|iframe|svg|math|form|button)|\son\w+\s*=|javascript:|data:text|style="pos|\sid=|\sname=|class="banner|data-action|hx-|submit/i,
    );
  });

  test('cells are aligned without styles', () => {
    expect(readMarkdown('|a|\n|-:|\n|b|').html()).toContain('<td align="right">b</td>');
  });

  test('any text is read and shown without an error, and gives neither scripts nor handlers', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '`',
        '~"',
        '@',
        '#1',
        '[x](',
        ')',
        '<a href=',
        '<img ',
        'onerror=',
        'javascript:',
        '&lt;',
        '\n',
        '- [ ] ',
        '> ',
        '|',
        '/close',
        ':x:',
        '\\',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const html = readMarkdown(pieces.join('')).html({ target: ({ text }) => ({ url: `/${text}`, title: text }) });
        for (const [tag] of html.matchAll(/<[a-z][^>]*>/gi)) {
          expect(tag).not.toMatch(/^<(?:script|style|iframe|svg|form)/i);
          expect(tag.replaceAll(/"[^"]*"/g, '')).not.toMatch(/\son\w+=/i);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a long line of signs is read in time that grows with its length', () => {
    for (const sign of ['@', '#', '~"', 'a/', '[', '*a', '<a ', ':a', '%']) readMarkdown(sign.repeat(20_000)).html();
  });
});
