import type { OutgoingHttpHeaders } from 'node:http';
import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import type { Answer } from '../../http/index.ts';

/** What a page's own content may do beyond what every page may. */
export interface Permissions {
  /** Run the gateway's own scripts. */
  readonly scripts?: boolean;
  /** Let its scripts send requests to the gateway. */
  readonly requests?: boolean;
  /** Where its forms may lead besides the gateway, as sources of the policy. */
  readonly formsLeadTo?: readonly string[];
}

/**
 * A document as an answer. Pages are made for each request and kept nowhere:
 * what they show depends on who asks.
 */
export function toAnswer(document: VNode, status = 200, permissions: Permissions = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(permissions) },
    body: `<!doctype html>${render(document)}`,
  };
}

function pageHeaders({ scripts = false, requests = false, formsLeadTo = [] }: Permissions): OutgoingHttpHeaders {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    ...(scripts ? ["script-src 'self'"] : []),
    ...(requests ? ["connect-src 'self'"] : []),
    ["form-action 'self'", ...formsLeadTo].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
  };
}
