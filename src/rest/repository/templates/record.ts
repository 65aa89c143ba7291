import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { text } from '../../engine/schemas.ts';

export interface LicenseData {
  readonly key: string;
  readonly name: string;
  readonly nickname: string | null;
  readonly htmlUrl: string;
  readonly sourceUrl: string;
  readonly popular: boolean;
  readonly description: string;
  readonly conditions: readonly string[];
  readonly permissions: readonly string[];
  readonly limitations: readonly string[];
  readonly content: string;
}

/** The fields that operations select for the record. */
export const licenseFields =
  'key name nickname htmlUrl sourceUrl popular description conditions permissions limitations content';

const uri: JsonSchema = { type: 'string', format: 'uri' };
const words: JsonSchema = { type: 'array', items: text };

export const License: Record<LicenseData> = {
  name: 'License',
  schema: objectSchema({
    key: text,
    name: text,
    nickname: { type: ['string', 'null'] },
    html_url: uri,
    source_url: uri,
    popular: { type: 'boolean' },
    description: text,
    conditions: words,
    permissions: words,
    limitations: words,
    content: text,
  }),
  present: ({ htmlUrl, sourceUrl, ...license }) => ({
    key: license.key,
    name: license.name,
    nickname: license.nickname,
    html_url: htmlUrl,
    source_url: sourceUrl,
    popular: license.popular,
    description: license.description,
    conditions: license.conditions,
    permissions: license.permissions,
    limitations: license.limitations,
    content: license.content,
  }),
};

/** A template in a list, without its content. */
export const TemplateName: Record<{ readonly name: string }> = {
  name: 'TemplateName',
  schema: objectSchema({ key: text, name: text }),
  present: ({ name }) => ({ key: name, name }),
};

export const Template: Record<{ readonly name: string; readonly content: string }> = {
  name: 'Template',
  schema: objectSchema({ name: text, content: text }),
  present: ({ name, content }) => ({ name, content }),
};
