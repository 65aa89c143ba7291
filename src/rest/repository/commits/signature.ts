import { NotFound } from '../../../errors.ts';
import { objectSchema, recordOf, type Record } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

/** Signatures of commits and tags. */

interface SignatureData {
  readonly signatureType: 'PGP' | 'X509' | 'SSH';
  readonly verificationStatus: string;
}

const fields = 'signature { signatureType verificationStatus }';

const text = { type: ['string', 'null'] };

/** What a kind of signature has besides; the keys of people aren’t compared, so none is known. */
const ofKind = {
  PGP: {
    gpg_key_id: null,
    gpg_key_primary_keyid: null,
    gpg_key_user_name: null,
    gpg_key_user_email: null,
    gpg_key_subkey_id: null,
  },
  X509: { x509_certificate: null },
  SSH: { key: null },
} as const;

const Signature: Record<SignatureData> = {
  name: 'Signature',
  schema: objectSchema(
    {
      signature_type: { type: 'string', enum: ['PGP', 'X509', 'SSH'] },
      verification_status: { type: 'string', enum: ['unverified', 'unknown_key'] },
      gpg_key_id: { type: ['integer', 'null'] },
      gpg_key_primary_keyid: text,
      gpg_key_user_name: text,
      gpg_key_user_email: text,
      gpg_key_subkey_id: { type: ['integer', 'null'] },
      x509_certificate: { type: 'null' },
      key: { type: 'null' },
      commit_source: { type: 'string', const: 'gitaly' },
    },
    Object.values(ofKind).flatMap(Object.keys),
  ),
  present: ({ signatureType, verificationStatus }) => ({
    signature_type: signatureType,
    verification_status: verificationStatus.toLowerCase(),
    ...ofKind[signatureType],
    commit_source: 'gitaly',
  }),
};

/** @throws NotFound for what isn’t signed */
function signed(given: SignatureData | null): SignatureData {
  if (!given) throw new NotFound('Signature');
  return given;
}

/** What both have in common. */
const signature = {
  method: 'GET',
  parameters: [],
  refusals: [404],
  dialect: 'version 4',
} as const;

export const signatureRoutes: readonly AnyRoute[] = [
  route<{ repository: { commit: { signature: SignatureData | null } } }>({
    ...signature,
    path: '/api/v4/projects/:id/repository/commits/:sha/signature',
    summary: 'Get the signature of a commit',
    tag: 'Commits',
    operation: `query ($project: ID!, $ref: String!) { repository(project: $project) { commit(ref: $ref) { ${fields} } } }`,
    variables: ({ id, sha }) => ({ project: id, ref: sha }),
    withoutRepository: 404,
    record: recordOf(Signature, ({ repository }) => signed(repository.commit.signature)),
  }),
  route<{ repository: { tag: { signature: SignatureData | null } } }>({
    ...signature,
    path: '/api/v4/projects/:id/repository/tags/:tag_name/signature',
    summary: 'Get the signature of a tag',
    tag: 'Tags',
    operation: `query ($project: ID!, $name: String!) { repository(project: $project) { tag(name: $name) { ${fields} } } }`,
    variables: ({ id, tag_name: name }) => ({ project: id, name }),
    record: recordOf(Signature, ({ repository }) => signed(repository.tag.signature)),
  }),
];
