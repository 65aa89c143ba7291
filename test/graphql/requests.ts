export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // A test looks into whatever comes back.
  readonly body: any;
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
  };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** @returns what sends a body to a gateway, as it is, or anything else as JSON */
export const postsTo =
  (gateway: { readonly url: string }) =>
  async (
    body: unknown,
    {
      headers = {},
      path = '/graphql',
      url = gateway.url,
    }: { headers?: Record<string, string>; path?: string; url?: string } = {},
  ): Promise<Answer> =>
    await read(
      await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
      }),
    );
