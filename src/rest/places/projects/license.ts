import { objectSchema, type JsonSchema } from '../../engine/record.ts';

/** The licence in the repository of a project. */
export interface LicenseData {
  readonly path: string;
  readonly key: string;
  readonly name: string;
  readonly nickname: string | null;
  readonly htmlUrl: string | null;
  readonly sourceUrl: string | null;
}

/** The fields that operations select for it. */
export const licenseFields = 'path key name nickname htmlUrl sourceUrl';

const url = { type: ['string', 'null'], format: 'uri' };
const license = objectSchema({
  key: { type: 'string', description: '`other` if it isn’t a known one.' },
  name: { type: 'string' },
  nickname: { type: ['string', 'null'] },
  html_url: url,
  source_url: url,
});

export const licenseSchemas: { readonly [name: string]: JsonSchema } = {
  license_url: { ...url, description: 'With `license=true`, for readers of the code.' },
  license: { anyOf: [license, { type: 'null' }], description: 'With `license=true`, for readers of the code.' },
};

export const presentLicense = (found: LicenseData) => ({
  key: found.key,
  name: found.name,
  nickname: found.nickname,
  html_url: found.htmlUrl,
  source_url: found.sourceUrl,
});
