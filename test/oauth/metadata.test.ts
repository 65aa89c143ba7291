import { describe, expect, test } from 'vitest';
import { testGateway } from '../support/gateway.ts';
import { deviceGrant } from '../support/oauth/oauth.ts';

/** What clients configure themselves by: authorization server metadata (RFC 8414). */

const gateway = await testGateway();
const document = '/.well-known/oauth-authorization-server';

const everywhere = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  introspection_endpoint: `${issuer}/oauth/introspect`,
  device_authorization_endpoint: `${issuer}/oauth/authorize_device`,
  scopes_supported: ['api', 'read_api', 'read_user', 'read_repository', 'write_repository', 'profile', 'email', 'sudo'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  // A client without a secret could ask about any token.
  introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  code_challenge_methods_supported: ['S256'],
  service_documentation: `${issuer}/docs`,
});

describe('the metadata document', () => {
  test('says everything that the server offers in the profile compatible', async () => {
    const { status, headers, body } = await gateway.rest('GET', document);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(body).toEqual({
      ...everywhere(gateway.url),
      response_types_supported: ['code', 'token'],
      response_modes_supported: ['query', 'fragment'],
      grant_types_supported: [
        'authorization_code',
        'implicit',
        'password',
        'refresh_token',
        'client_credentials',
        deviceGrant,
      ],
    });
  });

  test('leaves out what the profile strict hasn’t', async () => {
    const strict = await testGateway({ CAUSEWAY_PROFILE: 'strict' }, gateway);
    expect((await strict.rest('GET', document)).body).toEqual({
      ...everywhere(strict.url),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      authorization_response_iss_parameter_supported: true,
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant],
    });
  });

  test('names no endpoint that isn’t there', async () => {
    const { body } = await gateway.rest('GET', document);
    const endpoints = Object.entries(body as Record<string, string>).filter(([name]) => name.endsWith('_endpoint'));
    // None of them likes an empty request.
    for (const [name, url] of endpoints) {
      const { status } = await fetch(url, { method: name === 'authorization_endpoint' ? 'GET' : 'POST' });
      expect([name, status]).toEqual([name, expect.toBeOneOf([400, 401])]);
    }
    expect(endpoints).toHaveLength(5);
    expect((await fetch((body as { service_documentation: string }).service_documentation)).status).toBe(200);
  });
});
