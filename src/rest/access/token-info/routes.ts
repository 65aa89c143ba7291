import { TokenInfo, type TokenInfoData } from './record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

export const tokenInfoRoutes: AnyRoute[] = [
  route<{ tokenInfo: TokenInfoData }>({
    method: 'GET',
    path: '/oauth/token/info',
    summary: 'Get the scopes and expiry of the access token of the request',
    tag: 'OAuth',
    parameters: [],
    operation: 'query { tokenInfo { resourceOwnerId scope expiresIn application { uid } createdAt } }',
    variables: () => ({}),
    record: { ...TokenInfo, present: ({ tokenInfo }) => TokenInfo.present(tokenInfo) },
    dialect: 'token information',
  }),
];
