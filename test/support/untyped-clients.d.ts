/** Types for the clients that have none, as far as the tests use them. */

declare module 'simple-oauth2' {
  interface Configuration {
    client: { id: string; secret: string };
    auth: { tokenHost: string };
    options?: {
      authorizationMethod?: 'header' | 'body';
      bodyFormat?: 'form' | 'json';
      credentialsEncodingMode?: 'strict' | 'loose';
    };
  }

  interface Token {
    readonly access_token: string;
    readonly refresh_token?: string;
    readonly token_type: string;
    readonly scope: string;
    readonly expires_in: number;
    readonly expires_at: Date;
  }

  export class AccessToken {
    readonly token: Token;
    expired(windowSeconds?: number): boolean;
    refresh(parameters?: { scope?: string | string[] }): Promise<AccessToken>;
    revoke(kind: 'access_token' | 'refresh_token'): Promise<void>;
    revokeAll(): Promise<void>;
  }

  type Parameters = Record<string, string | string[]>;

  export class AuthorizationCode {
    constructor(configuration: Configuration);
    authorizeURL(parameters: Parameters): string;
    getToken(parameters: Parameters): Promise<AccessToken>;
  }

  export class ResourceOwnerPassword {
    constructor(configuration: Configuration);
    getToken(parameters: Parameters): Promise<AccessToken>;
  }

  export class ClientCredentials {
    constructor(configuration: Configuration);
    getToken(parameters: Parameters): Promise<AccessToken>;
  }
}

declare module 'passport-gitlab2' {
  import { Strategy as PassportStrategy } from 'passport';

  export interface Profile {
    readonly provider: 'gitlab';
    readonly id: string;
    readonly username: string;
    readonly displayName: string;
    readonly emails: { value: string }[];
    readonly avatarUrl: string | null;
    readonly profileUrl: string;
  }

  interface Options {
    baseURL: string;
    clientID: string;
    clientSecret: string;
    callbackURL: string;
    scope?: string | string[];
    scopeSeparator?: string;
    state?: boolean;
    pkce?: boolean;
  }

  type Verified = (error: Error | null, user?: object) => void;

  export class Strategy extends PassportStrategy {
    constructor(
      options: Options,
      verify: (accessToken: string, refreshToken: string, profile: Profile, done: Verified) => void,
    );
    /** For refreshing tokens. */
    readonly _oauth2: {
      getOAuthAccessToken(
        refreshToken: string,
        parameters: { grant_type: 'refresh_token' },
        done: (error: { statusCode: number; data: string } | null, accessToken?: string, refreshToken?: string) => void,
      ): void;
    };
  }
}
