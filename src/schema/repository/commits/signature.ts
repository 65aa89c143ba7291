import { readTag } from '../../../git/objects/index.ts';
import type { SignatureKind } from '../../../git/objects/parse.ts';
import { builder } from '../../engine/builder.ts';
import { Tag } from '../tags/types.ts';
import { Commit } from './types.ts';

/** Signatures of commits and tags. Their keys aren’t known here, so none is ever shown as verified (contract S29). */

const SignatureType = builder.enumType('SignatureType', {
  description: 'What something is signed with.',
  values: { PGP: { value: 'PGP' }, X509: { value: 'X509' }, SSH: { value: 'SSH' } } as const,
});

const VerificationStatus = builder.enumType('VerificationStatus', {
  description: 'What is known about a signature.',
  values: {
    UNVERIFIED: { value: 'unverified' },
    UNKNOWN_KEY: { value: 'unknown_key', description: 'Nobody here has shown that the key is theirs.' },
  } as const,
});

interface Signature {
  readonly kind: SignatureKind;
  readonly commitSha: string;
}

const CommitSignature = builder.objectRef<Signature>('CommitSignature').implement({
  description: 'A signature of a commit or a tag.',
  fields: (t) => ({
    signatureType: t.expose('kind', { type: SignatureType }),
    verificationStatus: t.field({
      type: VerificationStatus,
      description: 'Certificates are `UNVERIFIED`, keys are `UNKNOWN_KEY`.',
      resolve: ({ kind }) => (kind === 'X509' ? 'unverified' : 'unknown_key'),
    }),
    commitSha: t.exposeString('commitSha', { description: 'The commit.' }),
  }),
});

builder.objectField(Commit, 'signature', (t) =>
  t.field({
    type: CommitSignature,
    nullable: true,
    description: 'Null for an unsigned one.',
    resolve: ({ signature, id }) => (signature ? { kind: signature, commitSha: id } : null),
  }),
);

builder.objectField(Tag, 'signature', (t) =>
  t.field({
    type: CommitSignature,
    nullable: true,
    description: 'Of an annotated tag; null for an unsigned one.',
    resolve: async ({ repository, annotated, id, commit }) => {
      const signature = annotated ? (await readTag(repository.git, id))?.signature : undefined;
      return signature ? { kind: signature, commitSha: commit } : null;
    },
  }),
);
