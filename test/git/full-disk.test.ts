import { expect, test } from 'vitest';
import { domainError } from '../../src/context.ts';
import { Busy } from '../../src/errors.ts';
import * as git from '../../src/git/errors.ts';

/** A full disk refuses for the moment: `npm run test:faults -- --only repository-disk-full` fills one. */

test.each([
  'error: unable to write file objects/ab/cd: No space left on device\nfatal: unable to write loose object file',
  'fatal: write error: Disk quota exceeded',
  'ENOSPC: no space left on device, write',
])('git without room is refused like too much work: %j', (detail) => {
  const failure = git.writingFailed('An object could not be written.', detail);
  expect(failure).toBeInstanceOf(git.Busy);
  expect(domainError(failure)).toMatchObject({ code: 'BUSY', message: 'The disk is full.', retryAfter: 600 });
});

test('any other failure of git is a defect', () => {
  const failure = git.writingFailed('An object could not be written.', 'fatal: bad object');
  expect(failure).toBeInstanceOf(git.Broken);
  expect(domainError(failure)).toBeUndefined();
});

test.each(['ENOSPC', 'EDQUOT'])('a file that has no room (%s) is refused in the same way', (code) => {
  expect(domainError(Object.assign(new Error('write'), { code }))).toBeInstanceOf(Busy);
  expect(domainError(Object.assign(new Error('write'), { code: 'EIO' }))).toBeUndefined();
});
